// How a phase looks without colour: the shape around its number, and the line of its path.

import { svgElement } from "./board.js";

/** The number of a phase in its shape. */
export function badge(mark, number) {
  const svg = svgElement("svg", { class: "badge", viewBox: "0 0 24 24", "aria-hidden": "true" });
  const text = svgElement("text", { class: "number", x: 12 });
  svg.append(svgElement("path", { class: "shape" }), text);
  drawBadge(svg, mark, number);
  return svg;
}

/** The same with another shape and number. */
export function drawBadge(svg, mark, number) {
  svg.firstChild.setAttribute("d", mark.shape);
  svg.lastChild.textContent = number;
  svg.lastChild.setAttribute("y", mark.name === "dash-dotted" ? 20 : 16.5); // a triangle is wide below
}

/** A piece of the line that marks the selected path in a phase. */
export function lineOf(mark) {
  const svg = svgElement("svg", { class: "line", viewBox: "0 0 46 6", "aria-hidden": "true" });
  svg.append(svgElement("path", { d: "M0 3H46", "stroke-dasharray": mark.dash }));
  return svg;
}
