import random
r = random.Random(4)
with open("subscriptions.tsv", "w") as f:
    for i in range(3000):
        f.write(f"user{r.randrange(90)}\thttp://{r.choice(['news', 'blog', 'radio'])}{r.randrange(900)}.towns.example/feed{r.randrange(3)}.xml\n")
