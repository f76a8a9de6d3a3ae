/** The site's pages, grouped by purpose (https://diataxis.fr). All resources are served from the site itself. */
import { defineConfig } from "vitepress";

const links = (pages) => Object.entries(pages).map(([link, text]) => ({ text, link: `/${link}` }));

const SIDEBAR = {
  Tutorial: { overview: "Overview", tutorial: "From two programs to a report" },
  "How to": {
    data: "Build labelled data",
    evaluation: "Measure a metric, estimate a mean",
    server: "Run the server and its page",
    python: "Use it from Python",
    rtc: "Measure round trips",
    "rtc-projects": "Round trips of projects",
    notebooks: "Round trips and labels of notebooks",
    "rtc-endpoint": "Put a proxy before a model",
    clusters: "Label on a cluster",
    "gpu-box": "Train on a GPU box",
    embeddings: "Use embedding metrics",
    libraries: "Run programs with libraries",
    releasing: "Release a version",
  },
  Reference: {
    "reference/commands": "Commands",
    "reference/library/modules": "Library",
    scores: "Scores and columns",
    formats: "File formats",
    metrics: "Metrics",
    changelog: "Changes",
  },
  Explanation: {
    behaviour: "Scores from running",
    untested: "Problems without tests",
    execution: "The sandbox",
    "execution-speed": "How execution is fast",
    results: "Results",
    architecture: "Architecture",
    experiments: "Experiments",
  },
};

export default defineConfig({
  title: "codescore",
  description: "Estimates how well a Python program does its task",
  srcDir: "content",
  outDir: "dist",
  cacheDir: "cache",
  // Links end in .html, so that any web server can serve the pages from a folder.
  cleanUrls: false,
  // Pages may mention addresses of a server that the reader starts.
  ignoreDeadLinks: "localhostLinks",
  // Text in the pages that looks like HTML is plain text.
  markdown: { html: false },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Tutorial", link: "/tutorial" },
      { text: "Commands", link: "/reference/commands" },
      { text: "Library", link: "/reference/library/modules" },
    ],
    sidebar: Object.entries(SIDEBAR).map(([text, pages]) => ({ text, items: links(pages) })),
  },
});
