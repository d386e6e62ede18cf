for suffix, word in (("", "dish"), ("_de", "Speise"), ("_fr", "plat"), ("_it", "piatto")):
    with open(f"menu{suffix}.properties", "w") as out:
        out.write("currency = EUR\n")
        for i in range(300):
            out.write(f"dish.{i} = {word} {i} \\u00e0 la maison, with something beside it\n")
