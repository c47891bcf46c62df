// Checks every record of a manifest with the project's JavaScript verifier, in Node; prints the reports as JSON.
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [verifier, folder] = process.argv.slice(2);
const { verify } = await import(pathToFileURL(verifier).href);
const { trust, names } = JSON.parse(await readFile(`${folder}/manifest.json`, "utf8"));
const reports = {};
for (const name of names) reports[name] = await verify(await readFile(`${folder}/${name}`, "utf8"), trust);
console.log(JSON.stringify(reports));
