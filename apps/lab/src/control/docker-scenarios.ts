import type { Fate } from '../docker/host.ts'
import type { World } from '../world.ts'
import { ControlError } from './check.ts'
import { some } from './scenario.ts'
import type { Scenario } from './scenario.ts'

const hosts = ({ docker }: World) => some(docker.agents, 'container host').map(({ host }) => host)
const first = (world: World) => hosts(world)[0]!
const last = (world: World) => hosts(world).at(-1)!

/** Gives a container of the last host this fate. */
const turns = (about: string, fate: Fate): Scenario => ({
  about,
  play(control, world) {
    const { name, containers } = last(world)
    const [container] = some(
      containers.filter((one) => one.fate === 'runs'),
      'container that runs',
    )
    control.patchDockerHost(name, { containers: { [container!.name]: { fate } } })
  },
})

const clock = (hours: number): Scenario => ({
  about: `the clock of the last container host is ${Math.abs(hours)} h ${hours < 0 ? 'behind' : 'ahead'}`,
  play: (control, world) => control.patchDockerHost(last(world).name, { clockSkewSeconds: hours * 3600 }),
})

const labelCount = 200
const labelLength = 4_000

export const dockerScenarios: Readonly<Record<string, Scenario>> = {
  'container-host-silent': {
    about: 'the last container host was switched off',
    play: (control, world) => control.patchDockerHost(last(world).name, { online: false }),
  },
  'container-flaps': turns('a container ends after 40 seconds and is started again, for ever', 'flapping'),
  'container-restarts': turns('a container ends as soon as it is started, for ever', 'restarting'),
  'container-unhealthy': turns('the health check of a container fails', 'unhealthy'),
  'container-exits': turns('a container has ended', 'exited'),
  'container-oom-killed': turns(
    'a container needed more memory than it may have, and was ended',
    'oom-killed',
  ),
  'container-paused': turns('a container is paused', 'paused'),
  'container-hangs': {
    about: 'the engine of the last container host does not answer about one container',
    play(control, world) {
      const { name, containers } = last(world)
      const [container] = some(containers, 'container')
      control.patchDockerHost(name, { containers: { [container!.name]: { hangs: true } } })
    },
  },
  'cloned-container-host': {
    about: 'the last container host was cloned from the first, and has its ids',
    play(control, world) {
      if (hosts(world).length < 2) throw new ControlError(409, 'this lab has no second container host')
      control.patchDockerHost(last(world).name, { identityOf: first(world).name })
    },
  },
  'clock-ahead-an-hour': clock(1),
  'clock-behind-an-hour': clock(-1),
  'clock-ahead-a-day': clock(24),
  'clock-behind-a-day': clock(-24),
  'huge-labels': {
    about: 'a container has 200 labels of 4 kB each',
    play(control, world) {
      const { name, containers } = last(world)
      const [container] = some(containers, 'container')
      const labels = Object.fromEntries(
        Array.from({ length: labelCount }, (_, n) => [
          `label.${n}`,
          `${n}/`.repeat(labelLength).slice(0, labelLength),
        ]),
      )
      control.patchDockerHost(name, { containers: { [container!.name]: { labels } } })
    },
  },
  'many-containers': {
    about: 'the last container host has 120 containers',
    play: (control, world) => control.patchDockerHost(last(world).name, { containerCount: 120 }),
  },
  'no-containers': {
    about: 'the last container host has no container any more',
    play: (control, world) => control.patchDockerHost(last(world).name, { containerCount: 0 }),
  },
  'containers-blink': {
    about: 'the next report of the last container host says that it has no container',
    play: (control, world) => control.patchDockerHost(last(world).name, { emptyReports: 1 }),
  },
  'stop-fails': {
    about: 'the agent of the last container host cannot stop on command',
    play: (control, world) => control.patchDockerHost(last(world).name, { stop: 'fails' }),
  },
}
