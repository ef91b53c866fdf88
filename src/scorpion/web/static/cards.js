// Draws cards as SVG, and names them for those who listen.

const SVG = "http://www.w3.org/2000/svg";
const SUITS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
const RANKS = { A: "Ace", T: "10", J: "Jack", Q: "Queen", K: "King" };

export const HIDDEN = "??";

export function nameOf(card) {
  return card === HIDDEN ? "hidden card" : `${RANKS[card[0]] ?? card[0]} of ${SUITS[card[1]]}`;
}

function element(name, attributes, ...inside) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

function suit(card, x, y, size) {
  return element("use", { href: `#suit-${card[1]}`, x, y, width: size, height: size });
}

const edge = (kind) => element("rect", { class: kind, x: 1, y: 1, width: 98, height: 138, rx: 8 });

const rankOf = (card) => (card[0] === "T" ? "10" : card[0]);

/** Rank and suit at the head of a card, which is all that is seen of one that is covered. */
function index(card) {
  const narrow = card[0] === "T" ? { textLength: 43, lengthAdjust: "spacingAndGlyphs" } : {};
  const rank = element("text", { class: "rank", x: 7, y: 33, ...narrow }, rankOf(card));
  return element("g", { class: "index" }, rank, suit(card, 64, 7, 28));
}

function middle(card) {
  if (!"JQK".includes(card[0])) return [suit(card, 22, 58, 56)];
  return [
    element("rect", { class: "frame", x: 20, y: 50, width: 60, height: 80, rx: 5 }),
    element("text", { class: "court", x: 50, y: 95 }, rankOf(card)),
    suit(card, 39, 104, 22),
  ];
}

function face(card) {
  const color = "DH".includes(card[1]) ? "red" : "black";
  return [
    edge("edge"),
    element("g", { class: color }, index(card), element("g", { class: "middle" }, ...middle(card))),
  ];
}

function back(told) {
  const weave = element("path", {
    class: "weave",
    d: "M12 12H88V128H12ZM12 41 50 12 88 41M12 70 50 41 88 70M12 99 50 70 88 99M12 128 50 99 88 128",
  });
  return [edge("edge back"), told ? element("g", { class: "told" }, index(told)) : weave];
}

/** A picture of a card; of a hidden one the back, with what it is where that is `told`. */
export function drawn(card, told) {
  const inside = card === HIDDEN ? back(told) : face(card);
  return element("svg", { viewBox: "0 0 100 140", "aria-hidden": "true", focusable: "false" }, ...inside);
}

/** A curved arrow from one point to another, for the page's drawing of a lock. */
export function arrow(from, to) {
  const bend = { x: (from.x + to.x) / 2, y: Math.min(from.y, to.y) - Math.abs(from.x - to.x) / 4 - 12 };
  const angle = Math.atan2(to.y - bend.y, to.x - bend.x);
  const tip = [0, 2.6, -2.6].map((turn) => {
    const reach = turn ? 11 : 0;
    return `${to.x + reach * Math.cos(angle + turn)} ${to.y + reach * Math.sin(angle + turn)}`;
  });
  return element(
    "g",
    {},
    element("circle", { class: "tip", cx: from.x, cy: from.y, r: 3.5 }),
    element("path", { d: `M${from.x} ${from.y}Q${bend.x} ${bend.y} ${to.x} ${to.y}` }),
    element("path", { class: "tip", d: `M${tip.join("L")}Z` }),
  );
}
