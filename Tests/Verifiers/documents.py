"""What is asked of the OpenAPI documents beyond what others' tools ask."""

import re

COMPONENT = "#/components/schemas/"


def references(value):
    """Every name of a schema that a part of a document leads to, not further."""
    if isinstance(value, dict):
        for key, member in value.items():
            if key == "$ref" and isinstance(member, str) and member.startswith(COMPONENT):
                yield member.removeprefix(COMPONENT)
            else:
                yield from references(member)
    elif isinstance(value, list):
        for member in value:
            yield from references(member)


def operations(document):
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method not in ("parameters", "servers"):
                yield method, path, item, operation


def taken(document):
    """The names of the schemas that requests may have."""
    schemas = document["components"]["schemas"]
    found = set()
    new = set()
    for _, _, _, operation in operations(document):
        new |= set(references(operation.get("requestBody", {})))
    while new:
        found |= new
        new = {name for known in new for name in references(schemas[known])} - found
    return found


def close(schema):
    """Refuses every member that a schema does not name."""
    if isinstance(schema, dict):
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
        for member in schema.values():
            close(member)
    elif isinstance(schema, list):
        for member in schema:
            close(member)


def make_strict(document):
    """Makes a member that the document does not know in an answer a fault."""
    schemas = document["components"]["schemas"]
    for name in set(schemas) - taken(document):
        close(schemas[name])
    for _, _, _, operation in operations(document):
        for answer in operation["responses"].values():
            close(answer.get("content", {}))


def offer(document, values):
    """Makes half of the values of some schemas those that are given."""
    schemas = document["components"]["schemas"]
    for name, some in values.items():
        schemas[name] = {"anyOf": [{"enum": some}, schemas[name]]}


def needs_token(operation):
    return bool(operation.definition.raw.get("security"))


def error_codes(document):
    """The codes in backticks in the descriptions of answers, by operation and status."""
    shared = document["components"]["responses"]
    codes = {}
    for method, path, _, operation in operations(document):
        for status, answer in operation["responses"].items():
            description = answer.get("description")
            if description is None:
                description = shared[answer["$ref"].rsplit("/", 1)[1]]["description"]
            codes[method, path, status] = re.findall(r"`(\w+)`", description)
    return codes


def check_code(response, case, codes):
    """Those are all that come with it; an answer without an error has none."""
    known = codes.get((case.operation.method.lower(), case.operation.path, str(response.status_code)))
    if known is None or response.status_code < 400:
        return
    if response.headers.get("Content-Type") != "application/json":
        return
    body = response.json()
    error = body.get("error")
    code = error["code"] if isinstance(error, dict) else body.get("errorCode")
    if code is not None and str(code) not in known:
        raise AssertionError(f"{response.status_code} came with {code}, documented are {known}")
