"""A chat bot answers twenty people by coroutines. It should not seem like a machine, so it pauses before each answer;
but the pause is time.sleep, and stops all conversations."""
import asyncio
import random
import time

GREETINGS = ("hello", "hi", "good evening")
paused, answers, beats, late = 0.0, 0, 0, 0.0


def think_of_answer(question):
    if question in GREETINGS:
        return "Hello! What can I do for you?"
    return f"I am not sure about {question!r}. Could you say that in other words?"


def seem_human(answer):
    global paused
    before = time.monotonic()
    time.sleep(0.01 + len(answer) / 3000)
    paused += time.monotonic() - before


async def answer_question(question):
    answer = think_of_answer(question)
    seem_human(answer)
    return answer


async def conversation(person, until):
    global answers
    dice = random.Random(person)
    while time.monotonic() < until:
        await asyncio.sleep(dice.uniform(0.02, 0.05))  # the person types
        await answer_question(dice.choice(GREETINGS + ("opening hours", "my order")))
        answers += 1


async def heartbeat(until):
    global beats, late
    while time.monotonic() < until:
        before = time.monotonic()
        await asyncio.sleep(0.01)
        late = max(late, time.monotonic() - before - 0.01)
        beats += 1


async def main():
    until = time.monotonic() + 2
    await asyncio.gather(heartbeat(until), *(conversation(n, until) for n in range(20)))


start = time.monotonic()
asyncio.run(main())
with open("truth", "w") as truth:
    truth.write(f"sleeping {paused / (time.monotonic() - start):.3f}\nanswers {answers}\nheartbeats {beats}\n"
                f"latest_ms {1000 * late:.0f}\n")
