// Draws cards as SVG, and names them for those who listen.

const SVG = "http://www.w3.org/2000/svg";
const SUITS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
const RANKS = { A: "Ace", T: "10", J: "Jack", Q: "Queen", K: "King" };

export const HIDDEN = "??";

export function nameOf(card) {
  return card === HIDDEN ? "hidden card" : `${RANKS[card[0]] ?? card[0]} of ${SUITS[card[1]]}`;
}

function element(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function suit(card, x, y, size) {
  return element("use", { href: `#suit-${card[1]}`, x, y, width: size, height: size });
}

function picture() {
  return element("svg", { viewBox: "0 0 100 140", "aria-hidden": "true", focusable: "false" });
}

function face(card) {
  const drawn = picture();
  const group = element("g", { class: "DH".includes(card[1]) ? "red" : "black" });
  const rank = card[0] === "T" ? "10" : card[0];
  drawn.append(element("rect", { class: "edge", x: 2, y: 2, width: 96, height: 136, rx: 8 }), group);
  group.append(element("text", { class: "rank", x: 8, y: 33 }, rank), suit(card, 64, 7, 28));
  if ("JQK".includes(card[0])) {
    group.append(
      element("rect", { class: "frame", x: 20, y: 44, width: 60, height: 86, rx: 5 }),
      element("text", { class: "court", x: 50, y: 97 }, rank),
      suit(card, 39, 103, 22),
    );
  } else {
    group.append(suit(card, 22, 58, 56));
  }
  return drawn;
}

function back(told) {
  const drawn = picture();
  drawn.append(
    element("rect", { class: "edge back", x: 2, y: 2, width: 96, height: 136, rx: 8 }),
    element("path", {
      class: "weave",
      d: "M12 12H88V128H12ZM12 41 50 12 88 41M12 70 50 41 88 70M12 99 50 70 88 99M12 128 50 99 88 128",
    }),
  );
  if (told) drawn.append(element("text", { class: "told", x: 50, y: 19 }, told));
  return drawn;
}

/** A picture of a card; of a hidden one the back, with what it is where that is `told`. */
export function drawn(card, told) {
  return card === HIDDEN ? back(told) : face(card);
}

/** A curved arrow from one point to another, for the page's drawing of a lock. */
export function arrow(from, to) {
  const bend = { x: (from.x + to.x) / 2, y: Math.min(from.y, to.y) - Math.abs(from.x - to.x) / 4 - 12 };
  const angle = Math.atan2(to.y - bend.y, to.x - bend.x);
  const tip = [0, 2.6, -2.6].map((turn) => {
    const reach = turn ? 11 : 0;
    return `${to.x + reach * Math.cos(angle + turn)} ${to.y + reach * Math.sin(angle + turn)}`;
  });
  return [
    element("path", { d: `M${from.x} ${from.y}Q${bend.x} ${bend.y} ${to.x} ${to.y}` }),
    element("path", { class: "tip", d: `M${tip.join("L")}Z` }),
  ];
}
