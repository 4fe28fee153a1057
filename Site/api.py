"""Pages of an OpenAPI document: one for each tag, one for its schemas. Nothing runs in the browser,
so that search, links and dark mode are those of the other pages."""

import html
import json
import re

METHODS = ["get", "put", "post", "delete", "patch", "head", "options"]


def write(source, folder, place):
    """Writes the pages and returns their paths, in the order of the document's tags."""
    document = json.loads(source.read_text(encoding="utf-8"))
    folder.mkdir(parents=True, exist_ok=True)
    groups = {tag["name"]: [] for tag in document["tags"]}
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                groups[item[method]["tags"][0]].append((path, method, item))
    pages = {"index": introduction(document, groups, source.stem)}
    for tag in document["tags"]:
        pages[tag["name"]] = group_page(document, tag, groups[tag["name"]])
    pages["schemas"] = schemas_page(document)
    for name, text in pages.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    (folder / "openapi.json").write_bytes(source.read_bytes())
    return [f"{place}/{name}.md" for name in pages]


def introduction(document, groups, name):
    info = document["info"]
    rows = [
        [f"[{title(tag['name'])}]({tag['name']}.md)", tag["description"],
         str(len(groups[tag["name"]]))] for tag in document["tags"]]
    schemes = [
        [f"`{key}`", scheme.get("description", ""), scheme_words(scheme)]
        for key, scheme in document["components"]["securitySchemes"].items()]
    return "\n".join([
        f"# {info['title'].removeprefix('Bodega: ').capitalize()}'s API", "", info["summary"], "",
        info["description"], "",
        f"The document itself: [openapi.json](openapi.json), or `bodega openapi {name}`; "
        f"[what it promises](../../openapi.md).", "",
        table(["operations", "for", "number"], rows), "", "## Tokens", "",
        table(["scheme", "for", "sent as"], schemes), ""])


def scheme_words(scheme):
    if scheme["type"] == "http":
        return f"`Authorization: {scheme['scheme'].capitalize()} …`"
    return f"`{scheme.get('name', '')}` in the {scheme.get('in', '')}"


def group_page(document, tag, operations):
    parts = [f"# {title(tag['name'])}", "", tag["description"], ""]
    for path, method, item in operations:
        parts += operation(document, path, method, item)
    return "\n".join(parts)


def operation(document, path, method, item):
    told = item[method]
    parts = [
        f"## {told['summary']} {{ #{told['operationId'].lower()} }}", "",
        f'<p class="endpoint"><span class="method {method}">{method.upper()}</span> '
        f"<code>{html.escape(path)}</code></p>", ""]
    tokens = [name for option in told.get("security", []) for name in option]
    if tokens:
        parts += [f"Needs `{'` or `'.join(tokens)}`.", ""]
    if "description" in told:
        parts += [told["description"], ""]
    parameters = [resolved(document, one) for one in item.get("parameters", [])
                  + told.get("parameters", [])]
    if parameters:
        rows = [
            [code(one["name"]) + ("" if one.get("required") else ' <small>optional</small>'),
             one["in"], words(one.get("schema", {})), inline(described(one))]
            for one in parameters]
        parts += [raw_table(["parameter", "in", "type", "meaning"], rows), ""]
    if "requestBody" in told:
        parts += body("Request", resolved(document, told["requestBody"]), document)
    good = {status: answer for status, answer in told["responses"].items() if status < "400"}
    bad = {status: answer for status, answer in told["responses"].items() if status >= "400"}
    for status, answer in good.items():
        parts += body(f"Answer {status}", resolved(document, answer), document)
    if bad:
        rows = [[code(status), inline(resolved(document, answer).get("description", ""))]
                for status, answer in bad.items()]
        parts += [
            "<details><summary>Refusals and failures</summary>",
            raw_table(["status", "when"], rows), "</details>", ""]
    return parts


def body(name, told, document):
    parts = [f"**{name}.** {told.get('description', '')}".rstrip(), ""]
    for kind, content in told.get("content", {}).items():
        schema = content.get("schema", {})
        limit = told.get("x-bodyBytesMax")
        parts.append(
            f'<p class="body"><code>{html.escape(kind)}</code>: {words(schema)}'
            + (f", at most {limit:,} bytes" if limit else "") + "</p>")
        parts.append("")
        if name == "Request":
            parts += [members(resolved(document, schema)), ""]
        example = content.get("example", resolved(document, schema).get("example"))
        if example is not None:
            parts += example_block(example)
    return parts


def example_block(example):
    if isinstance(example, str):
        return ["```text", example, "```", ""]
    return ["```json", json.dumps(example, indent=2, ensure_ascii=False), "```", ""]


def schemas_page(document):
    parts = ["# Schemas", "", "The bodies and their parts, by name.", ""]
    for name, schema in sorted(document["components"]["schemas"].items()):
        parts += [f"## {name} {{ #{name.lower()} }}", "", f"<p>{words(schema)}</p>", ""]
        if "description" in schema:
            parts += [schema["description"], ""]
        parts += [members(schema), ""]
        if "example" in schema and "properties" in schema:
            parts += example_block(schema["example"])
    return "\n".join(parts)


def members(schema):
    if not schema.get("properties"):
        return ""
    needed = schema.get("required", [])
    rows = [
        [code(name) + ("" if name in needed else " <small>optional</small>"), words(one),
         inline(one.get("description", ""))]
        for name, one in sorted(schema["properties"].items(), key=lambda it: it[0] not in needed)]
    return raw_table(["member", "type", "meaning"], rows)


def words(schema):
    """A schema in a phrase of HTML."""
    if schema is True or not schema:
        return "any value"
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return f'<a href="../schemas/#{name.lower()}">{name}</a>'
    for several, between in (("oneOf", " or "), ("anyOf", " or "), ("allOf", " and ")):
        if several in schema:
            return between.join(words(one) for one in schema[several])
    if "const" in schema:
        return code(json.dumps(schema["const"], ensure_ascii=False))
    if "enum" in schema:
        return ", ".join(code(one if isinstance(one, str) else json.dumps(one))
                         for one in schema["enum"])
    kind = schema.get("type", "any value")
    if isinstance(kind, list):
        kind = " or ".join(kind)
    if kind == "array":
        return f"list of {words(schema.get('items', {}))}{limits(schema)}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {words(schema['additionalProperties'])}{limits(schema)}"
    kind = {"string": "text", "integer": "whole number"}.get(kind, kind)
    form = schema.get("format") or schema.get("contentEncoding")
    if form and form != "int64":
        kind += f" ({form})"
    return kind + limits(schema)


def limits(schema):
    low = first(schema, "minimum", "minLength", "minItems", "minProperties")
    high = first(schema, "maximum", "maxLength", "maxItems", "maxProperties")
    said = ""
    if low is not None and high is not None:
        said = f", {low:,} to {high:,}" if low != high else f", {low:,}"
    elif high is not None:
        said = f", at most {high:,}"
    elif low:
        said = f", at least {low:,}"
    if "pattern" in schema:
        said += f", {code(schema['pattern'])}"
    return said


def first(schema, *names):
    return next((schema[name] for name in names if name in schema), None)


def described(parameter):
    return parameter.get("description") or parameter.get("schema", {}).get("description", "")


def resolved(document, one):
    while isinstance(one, dict) and "$ref" in one:
        place = document
        for part in one["$ref"].removeprefix("#/").split("/"):
            place = place[part]
        one = place
    return one if isinstance(one, dict) else {}


def title(name):
    return {"ocsp": "OCSP", "server-api": "Server API"}.get(name, name.capitalize())


def code(text):
    return f"<code>{html.escape(str(text))}</code>"


def inline(text):
    """A description with code, as HTML."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))


def raw_table(heads, rows):
    """In HTML, since patterns and enumerations may contain what Markdown gives a meaning."""
    head = "".join(f"<th>{one}</th>" for one in heads)
    lines = "\n".join("<tr>" + "".join(f"<td>{one}</td>" for one in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{lines}\n</tbody></table>"


def table(heads, rows):
    return "\n".join(f"| {' | '.join(row)} |" for row in [heads, ["---"] * len(heads), *rows])
