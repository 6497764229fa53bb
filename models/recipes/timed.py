"""Lessons that end by the clock: on a lent machine it is time that is given, not steps."""

from collections.abc import Iterator
from time import monotonic

import torch

from teach import GRADIENT_NORM_MAX, LEAST_RATE, WARM_UP_STEPS

LOG_EVERY, LOG_MEAN_OF = 100, 50
START = monotonic()


def log(*words: object) -> None:
    print(f"{monotonic() - START:6.1f}", *words, flush=True)


def steps_within(seconds: float, optimizer: torch.optim.Optimizer) -> Iterator[tuple[int, float]]:
    """Number of the step and share of the time gone; the rate falls with the time, as teach.py has it fall with the steps."""
    rates = [group["lr"] for group in optimizer.param_groups]
    start, step = monotonic(), 0
    while (gone := (monotonic() - start) / seconds) < 1:
        step += 1
        share = min(1, step / WARM_UP_STEPS) * max(LEAST_RATE, 1 - gone)
        for group, rate in zip(optimizer.param_groups, rates):
            group["lr"] = rate * share
        yield step, gone


def descend(loss: torch.Tensor, model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> None:
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), GRADIENT_NORM_MAX)
    optimizer.step()


def log_step(name: str, step: int, loss: torch.Tensor, right: list[torch.Tensor]) -> None:
    """What a step lost, and of the last ones the share of answered questions whose right passage stood first."""
    if step == 1 or step % LOG_EVERY == 0:
        share = torch.stack(right[-LOG_MEAN_OF:]).nanmean().item() if right else float("nan")
        log(name, step, f"loss {loss.item():.3f} right {share:.3f}")
