// Put each film together when it comes in sight, and make its frame as high as it is.
const { ends, films } = JSON.parse(document.getElementById("films").textContent);
const frames = [...document.querySelectorAll("iframe.film")];

const open = (frame) => {
  const [kind, middle] = films[frame.dataset.film];
  const [head, tail] = ends[kind];
  frame.srcdoc = head + middle + tail;
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

addEventListener("message", ({ source, data }) => {
  const frame = frames.find(({ contentWindow }) => contentWindow === source);
  const height = Number(data && data.mctsHeight);
  if (frame && height > 0) frame.style.height = `${Math.min(height, 4000)}px`;
});
