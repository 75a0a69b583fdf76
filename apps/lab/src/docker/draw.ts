import { dice, hash, mix, seededUuid } from '../random.ts'
import type { Dice } from '../random.ts'
import { cast } from './cast.ts'
import type { Part } from './cast.ts'
import type { AgentKind, Container, DockerHost, Fate } from './host.ts'
import { stacks } from './stacks.ts'

export interface DockerPlan {
  hosts: number
  /** The number of container hosts that come before the first one, elsewhere; default 0. */
  after?: number
  containers: number
  /** `mixed`: every other host has the v4 agent. */
  agents: AgentKind | 'mixed'
  seed: number
  startedAtMs: number
}

const dayMs = 86_400_000
const MiB = 1024 ** 2
const GiB = 1024 ** 3

const systems = [
  { os: 'Debian GNU/Linux 12 (bookworm)', kernelVersion: '6.1.0-28-amd64', dockerVersion: '27.3.1' },
  { os: 'Ubuntu 24.04.1 LTS', kernelVersion: '6.8.0-49-generic', dockerVersion: '27.3.1' },
  { os: 'Debian GNU/Linux 12 (bookworm)', kernelVersion: '6.1.0-18-amd64', dockerVersion: '20.10.24+dfsg1' },
  { os: 'Alpine Linux v3.20', kernelVersion: '6.6.63-0-lts', dockerVersion: '26.1.5' },
  { os: 'Unraid OS 7.0 x86_64', kernelVersion: '6.6.66-Unraid', dockerVersion: '27.0.3' },
] as const

export const drawDockerHosts = (plan: DockerPlan): DockerHost[] =>
  Array.from({ length: plan.hosts }, (_, index) => drawHost(plan, (plan.after ?? 0) + index))

function drawHost(
  { agents, containers, seed: rootSeed, startedAtMs }: DockerPlan,
  index: number,
): DockerHost {
  const name = `dock${index + 1}`
  const seed = hash(`${rootSeed}/docker/${name}`)
  const draw = dice(seed)
  const bootedAtMs = startedAtMs - draw.int(2, 120) * dayMs - draw.int(0, dayMs)
  return {
    name,
    seed,
    agentKind: agents === 'mixed' ? (index % 2 === 0 ? 'own' : 'original') : agents,
    agentId: engineId(draw),
    machineId: seededUuid(seed).replaceAll('-', ''),
    ...systems[index % systems.length]!,
    architecture: index % 7 === 6 ? 'aarch64' : 'x86_64',
    cpus: draw.pick([2, 4, 4, 8, 16]),
    memoryBytes: draw.pick([4, 8, 16, 16, 32]) * GiB - draw.int(100, 400) * MiB,
    bootedAtMs,
    zoneMinutes: draw.pick([0, 0, 60, 120, -300, 330]),
    containers: castOf(index, containers).map((part, position) =>
      drawContainer(part, position, seed, bootedAtMs, startedAtMs),
    ),
    pins: {},
  }
}

/** Older engines have an id of twelve groups of four characters, newer engines a UUID. */
function engineId(draw: Dice): string {
  if (draw.chance(0.5)) return seededUuid(draw.int(0, 0xffffffff))
  const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const group = () => Array.from({ length: 4 }, () => signs[draw.int(0, 31)]).join('')
  return Array.from({ length: 12 }, group).join(':')
}

type CastPart = Omit<Part, 'fate'> & { fate: Fate | undefined; round: number }

/** The first host begins with the cast. Each host then cycles through the stacks, starting at a different one. */
function castOf(index: number, count: number): CastPart[] {
  const parts: CastPart[] = index === 0 ? cast.slice(0, count).map((part) => ({ ...part, round: 1 })) : []
  for (let n = 0; parts.length < count; n++) {
    const { project, services } = stacks[(index + n) % stacks.length]!
    const round = Math.floor(n / stacks.length) + 1
    const fit = services.slice(0, count - parts.length)
    parts.push(...fit.map((service) => ({ ...service, ...(project && { project }), fate: undefined, round })))
  }
  return parts
}

function drawContainer(
  part: CastPart,
  position: number,
  hostSeed: number,
  bootedAtMs: number,
  startedAtMs: number,
): Container {
  const { project, round } = part
  const instance = round > 1 ? `-${round}` : ''
  const name = project ? `${project}-${part.name}-${round}` : `${part.name}${instance}`
  const seed = mix(hostSeed, hash(name))
  const draw = dice(seed)
  const createdAtMs = bootedAtMs - draw.int(0, 60) * dayMs - draw.int(0, dayMs)
  const startedAtRunMs = bootedAtMs + draw.int(5_000, 90_000)
  const fate = part.fate ?? (draw.chance(0.2) ? 'exited' : 'runs')
  const recentlyMs = startedAtMs - draw.int(60_000, 3 * 3_600_000)
  const network = project ? `${project}_default` : 'bridge'
  return {
    id: draw.hex(64),
    name,
    seed,
    image: part.image,
    fate,
    sinceMs: fate === 'runs' ? startedAtRunMs : recentlyMs,
    createdAtMs,
    startedAtMs: fate === 'starting' ? recentlyMs : startedAtRunMs,
    hasHealthCheck: part.health === true,
    cpuCores: part.cpu,
    memoryBytes: part.memoryMB * MiB,
    memoryLimitBytes: part.limitMB === undefined ? undefined : part.limitMB * MiB,
    labels: labelsOf(part, project, round),
    ports: part.port ? published(part.port, round) : [],
    networks: [
      { name: network, ipv4: `172.${project ? 18 + (hash(project) % 10) : 17}.0.${2 + (position % 250)}` },
    ],
    pins: {},
  }
}

/** A port is published for IPv4 and IPv6. Further instances publish other ports. */
const published = ([inside, outside]: readonly [number, number], round: number) =>
  ['0.0.0.0', '::'].map((ip) => ({
    privatePort: inside,
    publicPort: outside + (round - 1) * 10,
    protocol: inside === 53 ? 'udp' : 'tcp',
    ip,
  }))

function labelsOf(part: CastPart, project: string | undefined, round: number): Record<string, string> {
  const [title = '', version = 'latest'] = part.image.split('/').at(-1)!.split(':')
  const image = { 'org.opencontainers.image.title': title, 'org.opencontainers.image.version': version }
  if (!project) return image
  return {
    'com.docker.compose.container-number': String(round),
    'com.docker.compose.oneoff': 'False',
    'com.docker.compose.project': project,
    'com.docker.compose.project.config_files': `/srv/${project}/compose.yaml`,
    'com.docker.compose.project.working_dir': `/srv/${project}`,
    'com.docker.compose.service': part.name,
    'com.docker.compose.version': '2.30.3',
    ...image,
  }
}
