"""Packs an FMU: binary, description, tables, documentation, icon and licences into one zip archive."""

import argparse
import html
import xml.etree.ElementTree as xml
import zipfile
from pathlib import Path

import markdown

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1c2b36; }
h1, h2, h3 { line-height: 1.2; } img { max-width: 100%; } code { background: #f0f0ec; padding: 0 .2em; }
code { overflow-wrap: break-word; } table { border-collapse: collapse; width: 100%; font-size: 14px; }
td, th { text-align: left; vertical-align: top; padding: .25rem .5rem; border-bottom: 1px solid #ddd; }
thead th { position: sticky; top: 0; background: white; }
@media (max-width: 50rem) { table { display: block; overflow-x: auto; } }
@media (prefers-color-scheme: dark) { body { background: #14191d; color: #dfe6ea; } code { background: #262d33; }
  td, th { border-color: #333c44; } thead th { background: #14191d; } a { color: #8cc2ee; } img { background: white; } }
"""


def table_of_variables(description):
    """The interface as an HTML table, from modelDescription.xml."""
    cells = []
    for variable in description.find("ModelVariables"):
        unit = variable.get("unit", "")
        if variable.get("displayUnit"):
            unit += f" ({variable.get('displayUnit')})"
        start = variable.get("start", "")
        limits = " to ".join(variable.get(k, "") for k in ("min", "max")) if variable.get("min") else ""
        row = [variable.get("name"), variable.get("causality"), variable.get("variability"),
               variable.tag, unit, start, limits, variable.get("description", "")]
        cells.append("<tr>" + "".join(f"<td>{html.escape(x)}</td>" for x in row) + "</tr>")
    head = ("name", "causality", "variability", "type", "unit", "start", "range", "description")
    return ("<table><thead><tr>" + "".join(f"<th>{h}</th>" for h in head) + "</tr></thead><tbody>"
            + "\n".join(cells) + "</tbody></table>")


def as_html(text):
    return markdown.markdown(text, extensions=["tables", "fenced_code"])


def documentation(model, documents, resources, description):
    about_the_model, *_ = (documents / "README.md").read_text().split("\n## Files\n")  # no files of sources in the FMU
    text = as_html(about_the_model)
    data = as_html((resources / "README.md").read_text().replace("# ", "## ", 1))
    return (f"<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>{model}</title>"
            f"<meta name='viewport' content='width=device-width'><style>{STYLE}</style></head><body>{text}"
            f"{data}<h2>Variables</h2>{table_of_variables(description)}</body></html>\n")


def pack(arguments):
    description = xml.parse(arguments.description / "modelDescription.xml").getroot()
    files = {
        "modelDescription.xml": (arguments.description / "modelDescription.xml").read_bytes(),
        f"binaries/x86_64-linux/{arguments.model}.so": arguments.binary.read_bytes(),
        "terminalsAndIcons/terminalsAndIcons.xml": (arguments.description / "terminalsAndIcons.xml").read_bytes(),
        "documentation/index.html": documentation(arguments.model, arguments.documents, arguments.resources,
                                                  description).encode(),
        "documentation/licenses/license.txt": (arguments.root / "LICENSE").read_bytes(),
        "documentation/licenses/third_party.txt": (arguments.root / "fmu/third_party.txt").read_bytes(),
    }
    for icon in ("icon.png", "icon.svg"):
        files[f"terminalsAndIcons/{icon}"] = (arguments.root / "fmu" / icon).read_bytes()
    for picture in sorted(arguments.documents.glob("*.png")):
        files[f"documentation/{picture.name}"] = picture.read_bytes()
    for table in sorted(arguments.resources.iterdir()):
        files[f"resources/{table.name}"] = table.read_bytes()
    with zipfile.ZipFile(arguments.fmu, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            # a fixed date: the same content gives the same archive
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            archive.writestr(entry, content)


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--model", required=True)
for path in ("binary", "description", "resources", "documents", "root"):
    parser.add_argument(f"--{path}", type=Path, required=True)
parser.add_argument("fmu", type=Path)
pack(parser.parse_args())
