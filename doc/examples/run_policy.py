"""Drives a creature of Muybridge in MuJoCo, by the policy that `muybridge export --to policy` wrote.

    python3 run_policy.py biped.npz [--seconds 60] [--stay] [--push 0.2] [--look 0] [--view]

Goes on a random walk over the motion graph (--stay: keeps to the first clip) until the time is over or it has fallen,
and prints which. --push: every three seconds, for 0.1 s, so many body weights, from all sides. --look: candidates that
are tried ahead where a state is bad; 0: the policy alone. Needs numpy and mujoco, nothing of Muybridge;
doc/policy-arrays.md describes the arrays."""
import argparse
import copy
import math
import time

import mujoco
import numpy as np


def compose(a, b):
    """Planar motions x, y, yaw: first b, then a."""
    c, s = math.cos(a[2]), math.sin(a[2])
    return np.array([a[0] + c * b[0] - s * b[1], a[1] + s * b[0] + c * b[1], a[2] + b[2]])


def turned(angle, v):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([c * v[0] - s * v[1], s * v[0] + c * v[1]])


class Policy:
    """Where on the control graph the creature is, and what its servos are to do."""

    def __init__(self, file, rng, stay):
        self.__dict__.update({name: file[name] for name in file.files})
        self.n, self.rng, self.stay = len(self.dof_names), rng, stay
        self.fragment, self.place = 0, np.zeros(3)  # the frame of the fragment's clip in the world
        self.reference, self.reference_place = self.row(), self.place

    def row(self, at=1):
        """In frame_q of the fragment's first frame; at=2: of the one where it ends."""
        strip = self.fragments[self.fragment, 0]
        return self.clip_frame[strip] + self.fragments[self.fragment, at]

    def errors(self, q, v):
        length, speed, rate = self.units
        ref, ref_v, place = self.frame_q[self.reference], self.frame_v[self.reference], self.reference_place
        x, w, off = q - ref, v - ref_v, q[:2] - compose(place, ref)[:2]
        x[:2] = turned(-place[2] - ref[3], off) / length
        x[2] /= length
        x[3] = math.remainder(q[3] - place[2] - ref[3], 2 * math.pi)
        w[:2] = (turned(-q[3], v[:2]) - turned(-ref[3], ref_v[:2])) / speed
        w[2] /= speed
        w[3:] /= rate
        return np.concatenate([x, w])

    def decide(self, q, v):
        """Servo offsets until the fragment ends, from the state at its start; then its clip, frames."""
        x = self.errors(q, v)
        beyond = self.units[0] * (x[:2] - np.clip(x[:2], -self.leash, self.leash))
        if beyond.any():  # the path yields: only where it goes matters, not where it would have been
            move = turned(self.reference_place[2] + self.frame_q[self.reference][3], beyond)
            self.place, self.reference_place = self.place + [*move, 0], self.reference_place + [*move, 0]
            x = self.errors(q, v)
        return self.K[self.fragment] @ self.cut(x) + self.k[self.fragment], *self.fragments[self.fragment, :3]

    def cut(self, x):
        """Errors of place and yaw, to what linear policies may be trusted with."""
        most = np.full(len(x), np.inf)
        most[:2], most[3] = self.trust[0], self.trust[1]
        return np.clip(x, -most, most)

    def value(self, fragment, x):
        """What it will cost to bring errors back, from the start of a fragment on."""
        P, near = self.P[fragment], self.cut(x)
        return near @ P @ near + 2 * self.p[fragment] @ near + np.diag(P) @ (x * x - near * near)

    def go_on(self, q, v):
        """To the next fragment; at a node to one of its choices, unless that is no good in this state."""
        self.reference, self.reference_place = self.row(2), self.place
        self.place = compose(self.place, self.hop[self.fragment])
        self.fragment = self.fragments[self.fragment, 3]
        choices = np.flatnonzero(self.choices[:, 0] == self.fragments[self.fragment, 4])
        if self.stay or not len(choices):
            return
        choice, x = self.rng.choice(choices), self.errors(q, v)
        worth = self.value(self.choices[choice, 1], x)
        if worth <= self.patience or worth <= self.value(self.fragment, x):
            self.place = compose(self.place, self.choice_hop[choice])
            self.fragment = self.choices[choice, 1]


class Body:
    """The creature in MuJoCo: states as q, v of the policy's dofs, and implicit servos."""

    def __init__(self, policy):
        self.model = m = mujoco.MjModel.from_xml_string(str(policy.model))
        self.data, self.policy, self.h = mujoco.MjData(m), policy, float(policy.step)
        joint = [m.joint(name).id for name in policy.dof_names]
        self.q_at, self.v_at = m.jnt_qposadr[joint], m.jnt_dofadr[joint]
        self.motor = [m.actuator(name).id for name in policy.dof_names[6:]]
        self.damping = policy.kd + self.h * policy.kp  # of a servo whose law holds at the end of the step
        m.opt.timestep = self.h
        m.opt.cone, m.opt.impratio = mujoco.mjtCone.mjCONE_ELLIPTIC, 10
        m.dof_armature[self.v_at[6:]] += self.h * self.damping
        self.data.qpos[self.q_at], self.data.qvel[self.v_at] = policy.frame_q[0], policy.frame_v[0]

    def twin(self):
        """Another one in the same state, to try things out with."""
        other = copy.copy(self)
        other.data = mujoco.MjData(self.model)
        other.data.qpos[:], other.data.qvel[:] = self.data.qpos, self.data.qvel
        return other

    def state(self):
        return self.data.qpos[self.q_at].copy(), self.data.qvel[self.v_at].copy()

    def step(self, target, offsets):
        """torque = kp (target - q') + kd (rate - v') + feed-forward, with q', v' at the end of the step."""
        q, v = self.data.qpos[self.q_at[6:]], self.data.qvel[self.v_at[6:]]
        torque = (self.policy.kp * (target[0, 6:] + offsets - q) + self.policy.kd * target[1, 6:] + target[2, 6:]
                  - self.damping * v)
        self.data.ctrl[self.motor] = np.clip(torque, -self.policy.torque_max, self.policy.torque_max)
        mujoco.mj_step(self.model, self.data)


    def frame(self, strip, frame, offsets):
        """Runs a frame of a clip. False: it fell."""
        p = self.policy
        for i in range(p.steps):
            self.step(p.target[p.clip_step[strip] + frame * p.steps + i], offsets)
        (q, _), wanted, (share, tilt) = self.state(), p.frame_q[p.clip_frame[strip] + frame + 1], p.fall
        return q[2] >= share * wanted[2] and math.cos(q[4]) * math.cos(q[5]) >= math.cos(tilt)


HORIZON, HELD = 4, 2  # fragments that are looked ahead; those in which candidates differ
CALM, SPREAD, EFFORT = 0.1, 0.05, 0.5  # value that is good enough; of candidates [rad]; price of their squares


def foresee(policy, body, beside):
    """The cost of offsets beside the policy's (HELD x joints)."""
    policy, body = copy.copy(policy), body.twin()
    policy.stay = True
    for h in range(HORIZON):
        offsets, strip, start, end = policy.decide(*body.state())
        offsets += beside[h] if h < HELD else 0
        if not all(body.frame(strip, frame, offsets) for frame in range(start, end)):
            return 1e9 * (HORIZON - h)
        policy.go_on(*body.state())
    return EFFORT * (beside ** 2).sum() + policy.value(policy.fragment, policy.errors(*body.state()))


def look_ahead(policy, body, value, candidates):
    """What is to be added to the policy's offsets now."""
    best = np.zeros((HELD, policy.n - 6))
    least, spread = foresee(policy, body, best), SPREAD * min(3, math.sqrt(value / CALM))
    for centre_spread in (spread, 0.6 * spread):
        centre = best
        for _ in range(candidates):
            if least <= CALM:
                return best[0]
            beside = centre.copy()
            beside[:, policy.balance] += centre_spread * policy.rng.standard_normal((HELD, len(policy.balance)))
            cost = foresee(policy, body, beside)
            if cost < least:
                least, best = cost, beside
    return best[0]


def run(file, seconds, stay=False, push=0.0, candidates=16, seed=1, show=None):
    """How long it stood [s]."""
    policy = Policy(file, np.random.default_rng(seed), stay)
    body = Body(policy)
    weight = 9.81 * float(sum(body.model.body_mass))
    while body.data.time < seconds:
        offsets, strip, start, end = policy.decide(*body.state())
        value = policy.value(policy.fragment, policy.errors(*body.state()))
        if candidates and value > CALM:
            offsets += look_ahead(policy, body, value, candidates)
        for frame in range(start, end):
            side = turned(2.4 * int(body.data.time / 3), [push * weight, 0])
            body.data.qfrc_applied[body.v_at[:2]] = side if body.data.time % 3 > 2.9 else 0
            if not body.frame(strip, frame, offsets):
                return body.data.time
            if show:
                show(body)
        policy.go_on(*body.state())
    return seconds


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("file")
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--stay", action="store_true")
    options.add_argument("--push", type=float, default=0)
    options.add_argument("--look", type=int, default=16)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--view", action="store_true")
    o, show, viewer = options.parse_args(), None, []
    if o.view:
        import mujoco.viewer

        def show(body):
            if not viewer:
                viewer.append(mujoco.viewer.launch_passive(body.model, body.data))
            viewer[0].sync()
            time.sleep(body.h * body.policy.steps)

    stood = run(np.load(o.file), o.seconds, o.stay, o.push, o.look, o.seed, show)
    print(f"stood {stood:.2f} s" if stood >= o.seconds else f"fell after {stood:.2f} s")


if __name__ == "__main__":
    main()
