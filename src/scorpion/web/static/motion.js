// Moves cards over the felt, unless the system asks for less motion.

const GLIDE = 180; // milliseconds
const FLIGHT = 320;
const APART = 25; // between the cards of a run

const still = matchMedia("(prefers-reduced-motion: reduce)");
const felt = document.querySelector(".felt");

/** Where something is on the felt, and how wide. */
export function spotOf(shown) {
  const box = shown.getBoundingClientRect();
  const ground = felt.getBoundingClientRect();
  return { x: box.left - ground.left, y: box.top - ground.top, width: box.width };
}

/** Let a card that lies in its new place come there from its old one. */
export function glide(shown, from, to) {
  if (still.matches || (from.x === to.x && from.y === to.y)) return;
  shown.animate(
    [{ transform: `translate(${from.x - to.x}px, ${from.y - to.y}px)`, zIndex: 60 }, { transform: "none", zIndex: 60 }],
    { duration: GLIDE, easing: "ease-out" },
  );
}

/** Let the picture of a card that has left fly away, as the one with that `order` in its run. */
export async function fly(picture, from, to, order) {
  if (still.matches) return;
  const ghost = document.createElement("div");
  ghost.className = "ghost";
  ghost.append(picture);
  felt.append(ghost);
  const at = ({ x, y }, scale) => `translate(${x}px, ${y}px) scale(${scale})`;
  const flight = ghost.animate(
    [{ transform: at(from, 1) }, { transform: at(to, to.width / from.width), opacity: 0.6 }],
    { duration: FLIGHT, delay: (12 - order) * APART, easing: "ease-in", fill: "backwards" },
  );
  await flight.finished;
  ghost.remove();
}
