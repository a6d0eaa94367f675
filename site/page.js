// Put each film together when it comes in sight; it takes the size of its frame.
const { ends, films } = JSON.parse(document.getElementById("films").textContent);
const frames = [...document.querySelectorAll("iframe.film")];

// 05_….html#film-2&at=120.select leads to that moment of the second film.
const [, number, moment] = /^#film-([0-9]+)&(at=[0-9]{1,9}(?:\.[a-z_]{1,20})?)$/.exec(location.hash) ?? [];
const wanted = frames[number - 1];

const open = (frame) => {
  const [kind, middle] = films[frame.dataset.film];
  const [head, tail] = ends[kind];
  const said = frame === wanted ? `<script>window.name = "${moment}";<\/script>` : "";
  frame.srcdoc = head + middle + tail + said;
};

const sight = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    sight.unobserve(target);
    open(target);
  }
}, { rootMargin: "600px" });
frames.forEach((frame) => sight.observe(frame));
addEventListener("beforeprint", () => frames.filter((frame) => !frame.srcdoc).forEach(open));
wanted?.scrollIntoView();
