"""A little framework: handlers name the things that they need, and get them as arguments."""
import inspect
import typing


class Container:
    def __init__(self):
        self.providers = {}

    def provide(self, kind, maker):
        self.providers[kind] = maker

    def arguments(self, handler, request):
        signature = inspect.signature(handler)
        hints = typing.get_type_hints(handler)
        found = {}
        for name, parameter in signature.parameters.items():
            kind = hints.get(name, parameter.annotation)
            if kind in self.providers:
                found[name] = self.providers[kind]()
            else:
                found[name] = kind(request[name])
        return found


class App:
    def __init__(self):
        self.routes = {}
        self.container = Container()

    def route(self, path):
        def add(handler):
            self.routes[path] = handler
            return handler
        return add

    def handle(self, path, request):
        handler = self.routes[path]
        return handler(**self.container.arguments(handler, request))
