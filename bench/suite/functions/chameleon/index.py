"""Renders an HTML table from a page template."""
import os

from chameleon import PageTemplate
from flask import Flask, Response

TABLE = PageTemplate("""\
<table xmlns="http://www.w3.org/1999/xhtml" xmlns:tal="http://xml.zope.org/namespaces/tal">
  <tr tal:repeat="row rows">
    <td tal:repeat="cell row" tal:content="cell * 3">0</td>
  </tr>
</table>""")

app = Flask(__name__)


@app.get("/")
def render():
    rows = [range(column, column + 12) for column in range(40)]
    return Response(TABLE.render(rows=rows), mimetype="text/html")


if __name__ == "__main__":
    from waitress import serve

    serve(app, host="0.0.0.0", port=int(os.environ["PORT"]), threads=2)
