// Bundles src/ into one HTML file without any outside reference: python/spondyl/report/page.html.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { build } from "esbuild";

const here = import.meta.dirname ?? dirname(new URL(import.meta.url).pathname);
const target = resolve(here, "../spondyl/report/page.html");

const { outputFiles, metafile } = await build({
  entryPoints: [resolve(here, "src/main.ts")],
  outdir: "unused",
  bundle: true,
  write: false,
  minify: true,
  charset: "utf8",
  target: "es2022",
  legalComments: "none",
  metafile: true,
});
const text = (ending) => outputFiles.find((file) => file.path.endsWith(ending)).text;

// the page is a copy of these packages, so it carries their licences
const packages = new Set(Object.keys(metafile.inputs).map((path) => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1]));
packages.delete(undefined);
const licences = [...packages].map(
  (name) => `${name}\n\n${readFileSync(resolve(here, "node_modules", name, "LICENSE"), "utf8")}`,
);

// functions as replacements, as $ in a replacement string has a meaning
const page = readFileSync(resolve(here, "src/page.html"), "utf8")
  .replace("/* style */", () => text(".css").replaceAll("</style", "<\\/style"))
  .replace("/* licences */", () => licences.join("\n\n"))
  .replace("/* script */", () => text(".js").replaceAll("</script", "<\\/script"));
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, page);
console.log(`${target}: ${Math.round(page.length / 1024)} kB`);
