"""What is in the archive: description, binary, documentation."""

import re
import subprocess
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import fmpy
import pytest
from fmpy.validation import validate_fmu
from lxml import etree

FMPY = Path(fmpy.__file__).parent
MODELS = sorted(file.stem for file in (Path(__file__).parents[2] / "modelDescription").glob("*.xml"))
SYSTEM_LIBRARIES = {"libm.so.6", "libc.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2"}
OLDEST_GLIBC = (2, 31)


def tool(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def archive(fmu_path):
    with zipfile.ZipFile(fmu_path) as opened:
        yield opened


@pytest.fixture(scope="module")
def binary(archive, model, tmp_path_factory):
    return archive.extract(f"binaries/x86_64-linux/{model}.so", tmp_path_factory.mktemp("binary"))


@pytest.fixture(scope="module")
def xml(archive):
    return etree.fromstring(archive.read("modelDescription.xml"))


@pytest.fixture(scope="module")
def terminals(archive):
    return etree.fromstring(archive.read("terminalsAndIcons/terminalsAndIcons.xml"))


# -- archive


def test_member_names(archive):
    for name in archive.namelist():
        assert "\\" not in name
        assert not name.startswith("/") and not re.match(r"[A-Za-z]:", name)
        assert ".." not in name.split("/")
    assert len(set(archive.namelist())) == len(archive.namelist())
    assert archive.testzip() is None


def test_members_are_plain_and_old_style(archive):
    for member in archive.infolist():
        assert member.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
        assert member.extract_version <= 20
        kind_of_file = member.external_attr >> 28
        assert kind_of_file in (0, 0o10), f"{member.filename} is not a regular file"


def test_contents(archive, model):
    expected = {
        "modelDescription.xml",
        f"binaries/x86_64-linux/{model}.so",
        "documentation/index.html",
        "documentation/licenses/license.txt",
        "terminalsAndIcons/terminalsAndIcons.xml",
        "terminalsAndIcons/icon.png",
        "terminalsAndIcons/icon.svg",
    }
    assert expected <= set(archive.namelist())
    assert b"Permission is hereby granted" in archive.read("documentation/licenses/license.txt")
    assert archive.read("terminalsAndIcons/icon.png").startswith(b"\x89PNG\r\n\x1a\n")
    assert etree.fromstring(archive.read("terminalsAndIcons/icon.svg")).tag.endswith("svg")


def test_documentation(archive, xml):
    html = archive.read("documentation/index.html").decode()

    class Reader(HTMLParser):
        pictures, words, in_cell = [], set(), 0

        def handle_starttag(self, tag, attributes):
            self.in_cell += tag == "td"
            if tag == "img":
                self.pictures.append(dict(attributes)["src"])

        def handle_endtag(self, tag):
            self.in_cell -= tag == "td"

        def handle_data(self, data):
            if self.in_cell:
                self.words.add(data.strip())

    reader = Reader()
    reader.feed(html)
    variables = {v.get("name") for v in xml.find("ModelVariables")}
    assert not variables - reader.words, "missing in the table of variables"
    assert reader.pictures
    for picture in reader.pictures:
        assert archive.read(f"documentation/{picture}").startswith(b"\x89PNG\r\n\x1a\n")


# -- modelDescription.xml


def test_fmpy_finds_nothing(fmu_path):
    assert validate_fmu(str(fmu_path)) == []


@pytest.mark.parametrize(
    "file, schema",
    [
        ("modelDescription.xml", "fmi3ModelDescription.xsd"),
        ("terminalsAndIcons/terminalsAndIcons.xml", "fmi3TerminalsAndIcons.xsd"),
    ],
)
def test_schema(archive, file, schema):
    checker = etree.XMLSchema(etree.parse(FMPY / "schema" / "fmi3" / schema))
    checker.assertValid(etree.fromstring(archive.read(file)))


def test_version_string(xml):
    assert xml.get("fmiVersion") == "3.0"  # some importers refuse patch numbers
    assert xml.get("variableNamingConvention") == "flat"


def test_capabilities_as_the_standard_spells_them(xml, model):
    promised = {
        "canGetAndSetFMUState": "true",
        "canSerializeFMUState": "true",
        "canHandleVariableCommunicationStepSize": "true",
        "providesDirectionalDerivatives": "true",
        "providesAdjointDerivatives": "true",
        "providesIntermediateUpdate": "true",
        "mightReturnEarlyFromDoStep": "true",
        "canReturnEarlyAfterIntermediateUpdate": "true",
        "hasEventMode": "true",
        "maxOutputDerivativeOrder": "1",
    }
    given = dict(xml.find("CoSimulation").attrib)
    assert given.pop("modelIdentifier") == model
    assert given == promised


def test_value_references_count_from_one(xml):
    references = [int(v.get("valueReference")) for v in xml.find("ModelVariables")]
    assert references == list(range(1, len(references) + 1))


def test_every_variable_is_described(xml):
    descriptions = {v.get("name"): v.get("description", "") for v in xml.find("ModelVariables")}
    assert [name for name, text in descriptions.items() if not text.strip()] == []


def test_names(xml):
    names = [v.get("name") for v in xml.find("ModelVariables")]
    assert [n for n in names if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", n)] == []
    assert len({n.lower() for n in names}) == len(names)


def test_units(xml):
    assert [u.get("name") for u in xml.find("UnitDefinitions") if u.find("BaseUnit") is None] == []
    units = {u.get("name"): {d.get("name") for d in u.findall("DisplayUnit")} for u in xml.find("UnitDefinitions")}
    for variable in xml.find("ModelVariables").findall("Float64"):
        assert variable.get("unit") in units, variable.get("name")
        shown = variable.get("displayUnit")
        assert shown is None or shown in units[variable.get("unit")], variable.get("name")


def test_start_is_within_range(xml):
    for variable in xml.find("ModelVariables"):
        low, start, high = (variable.get(key) for key in ("min", "start", "max"))
        if start is None or variable.tag in ("Boolean", "String"):
            continue
        assert low is None or float(low) <= float(start), variable.get("name")
        assert high is None or float(start) <= float(high), variable.get("name")


def test_source_of_the_model_is_annotated(xml):
    """Not for the whole model, where fmi-sim 0.5 cannot read annotations, but with the choice of its data."""
    assert xml.find("Annotations") is None
    (source,) = xml.xpath("//Annotation[@type='org.spondyl.source']")
    assert source.xpath("../../@name") == ["data_set"]
    assert re.match(r"\w[^:]+: .{20}", source.text), "authors and title"


def test_inputs_have_no_initial(xml):
    """Some importers refuse an FMU whose inputs say initial="exact"."""
    assert [v.get("name") for v in xml.find("ModelVariables") if v.get("causality") == "input" and v.get("initial")] == []


def test_outputs_declare_their_dependencies(xml):
    outputs = [v.get("valueReference") for v in xml.find("ModelVariables") if v.get("causality") == "output"]
    entries = xml.find("ModelStructure").findall("Output")
    assert [e.get("valueReference") for e in entries] == outputs
    assert all(e.get("dependencies") is not None for e in entries)
    assert all(len(e.get("dependenciesKind").split()) == len(e.get("dependencies").split()) for e in entries)
    assert [e.get("valueReference") for e in xml.find("ModelStructure").findall("InitialUnknown")] == outputs


def test_default_experiment(xml):
    given = {name: float(value) for name, value in xml.find("DefaultExperiment").attrib.items()}
    assert given == {"startTime": 0, "stopTime": 0.3, "tolerance": 1e-6, "stepSize": 1e-3}


def test_terminal_members_exist(xml, terminals):
    names = {v.get("name") for v in xml.find("ModelVariables")}
    members = [m.get("variableName") for m in terminals.iter("TerminalMemberVariable")]
    assert members
    assert [m for m in members if m not in names] == []
    assert {t.get("name") for t in terminals.iter("Terminal")} >= {"sled"}


# -- binary


def test_size(binary):
    assert Path(binary).stat().st_size < 3_000_000


def test_needs_system_libraries_only(binary):
    needed = set(re.findall(r"NEEDED\)\s+Shared library: \[(.+)\]", tool("readelf", "--dynamic", "--wide", binary)))
    assert needed
    assert needed <= SYSTEM_LIBRARIES


def test_runs_on_old_systems(binary):
    versions = set(re.findall(r"\bGLIBC_(\d+)\.(\d+)", tool("objdump", "--dynamic-syms", binary)))
    assert versions
    assert max((int(major), int(minor)) for major, minor in versions) <= OLDEST_GLIBC


def test_exports_the_functions_of_the_standard_and_no_other(binary):
    header = (FMPY / "c-code" / "fmi3Functions.h").read_text()
    standard = set(re.findall(r"^FMI3_Export\s+fmi3\w+TYPE\s+(fmi3\w+)\s*;", header, re.MULTILINE))
    assert len(standard) == 75
    exported = {line.split()[-1] for line in tool("nm", "--dynamic", "--defined-only", binary).splitlines()}
    assert exported == standard


def test_can_be_unloaded(binary):
    """Unique symbols and NODELETE keep a library in memory; thread-local data uses up a scarce common block."""
    assert "UNIQUE" not in tool("readelf", "--syms", "--dyn-syms", "--wide", binary)
    assert "NODELETE" not in tool("readelf", "--dynamic", "--wide", binary)
    headers = tool("readelf", "--program-headers", "--wide", binary)
    thread_local = re.search(r"^\s+TLS(?:\s+0x\w+){4}\s+(0x\w+)", headers, re.MULTILINE)
    # the C++ library's own two words for exceptions, no more
    assert thread_local is None or int(thread_local.group(1), 16) <= 16


def test_imports_nothing_that_could_disturb_the_importer(binary):
    """Threads, processes, sockets, signals, further libraries, and the settings that belong to the whole process."""
    disturbing = """pthread_create thrd_create clone fork vfork posix_spawn execv execve system popen socket connect signal sigaction
        dlopen setlocale uselocale newlocale fesetround fesetenv feupdateenv feenableexcept fedisableexcept chdir umask setenv putenv
        exit _exit quick_exit atexit setrlimit"""
    lines = tool("nm", "--dynamic", "--undefined-only", binary).splitlines()
    imported = {line.split()[-1].split("@")[0] for line in lines}
    assert "malloc" in imported
    assert imported & set(disturbing.split()) == set()


def test_stack_is_not_executable(binary):
    flags = re.search(r"GNU_STACK\s+(?:0x\w+\s+){5}([RWE ]+?)\s+0x", tool("readelf", "--program-headers", "--wide", binary))
    assert flags and "E" not in flags.group(1)


def test_names_no_path_of_the_build_machine(binary):
    dynamic = tool("readelf", "--dynamic", "--wide", binary)
    assert "RPATH" not in dynamic and "RUNPATH" not in dynamic
    text = Path(binary).read_bytes()
    assert not re.search(rb"/(home|root|work|tmp|builds)/[\w./-]+\.(cpp|h|hpp)\b", text)
