import { createControl, type LabControl } from './control/control.ts'
import { openControlServer } from './control/http.ts'
import { createCourse } from './course.ts'
import type { ClusterView, PbsView, PmgView } from './control/summary.ts'
import { createDockerAgents, type DockerHostView } from './docker/agents.ts'
import { drawDockerHosts } from './docker/draw.ts'
import { drawAppliances, linkStorages } from './appliances.ts'
import { buildEstate } from './estate/build.ts'
import { createFaults } from './faults/faults.ts'
import { openFleet } from './fleet.ts'
import { createReadings } from './load/readings.ts'
import { type LabOptions, toSettings } from './options.ts'
import { type Credentials, drawCredentials } from './access/accounts.ts'
import { createTickets } from './access/tickets.ts'
import { createRequestLog, type RequestCounts, type RequestFilter } from './requests.ts'
import type { World } from './world.ts'

export interface Lab {
  /** The current addresses, fingerprints and online states. */
  readonly clusters: ClusterView[]
  readonly pbs: PbsView[]
  readonly pmg: PmgView[]
  readonly docker: DockerHostView[]
  credentials: Credentials
  control: LabControl
  controlUrl: string
  requests(filter?: RequestFilter): RequestCounts
  /** Closes all sockets at once. */
  close(): Promise<void>
}

export async function startLab(options: LabOptions = {}): Promise<Lab> {
  const settings = toSettings(options)
  const credentials = drawCredentials(settings.seed)
  const estate = buildEstate(settings, credentials)
  const appliances = drawAppliances(settings, estate)
  const { dockerHosts: hosts, dockerContainers: containers, dockerAgents: agents, seed, now } = settings
  const dockerHosts = drawDockerHosts({ hosts, containers, agents, seed, startedAtMs: now() })
  const world: World = {
    settings,
    credentials,
    estate,
    ...appliances,
    docker: createDockerAgents(dockerHosts, now),
    course: createCourse(settings.after),
    readings: createReadings(settings.now, settings.loadPeriodMs),
    tickets: new Map(estate.clusters.map((cluster) => [cluster, createTickets(settings.now)])),
    faults: createFaults(),
    requests: createRequestLog(),
  }
  const fleet = await openFleet(world)
  linkStorages(estate, appliances.pbs[0])
  const control = createControl(world, fleet)
  const server = await openControlServer(control, settings.controlPort).catch(async (error: unknown) => {
    await fleet.close()
    throw error
  })
  return {
    get clusters() {
      return control.summary().clusters
    },
    get pbs() {
      return control.summary().pbs
    },
    get pmg() {
      return control.summary().pmg
    },
    get docker() {
      return control.dockerHosts()
    },
    credentials,
    control,
    controlUrl: server.url,
    requests: (filter) => control.requests(filter),
    async close() {
      world.course.stop()
      world.docker.close()
      await Promise.all([server.close(), fleet.close()])
    },
  }
}
