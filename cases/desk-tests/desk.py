"""The desk of a library as a small web service."""
from flask import Flask, jsonify, request
from werkzeug.security import check_password_hash, generate_password_hash


def create_app():
    app = Flask("desk")
    app.users = {}
    app.loans = {}

    @app.post("/loans")
    def lend():
        form = request.get_json()
        app.loans[form["book"]] = form["reader"]
        return jsonify(loans=len(app.loans)), 201

    @app.get("/loans/<book>")
    def loan(book):
        return jsonify(reader=app.loans.get(book))

    @app.post("/login")
    def login():
        form = request.get_json()
        known = app.users.get(form["name"])
        return jsonify(ok=bool(known and check_password_hash(known, form["password"])))

    return app


def add_user(app, name, password):
    app.users[name] = generate_password_hash(password)
