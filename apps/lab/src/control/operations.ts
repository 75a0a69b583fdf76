import type { ReportTo } from '../docker/agents.ts'
import type { FaultSpec } from '../faults/faults.ts'
import type { RequestFilter } from '../requests.ts'
import type { AppliancePatch } from './appliances.ts'
import { ControlError } from './check.ts'
import type { LabControl } from './control.ts'
import type { DockerHostPatch } from './docker.ts'
import type { GuestPatch, NewGuest } from './guest-patch.ts'
import type { ClusterPatch, NodePatch, StoragePatch, TokenPatch } from './clusters.ts'

type Operation = (control: LabControl, body: unknown) => unknown

interface Asked {
  control: LabControl
  /** The operation validates it. */
  body: unknown
  cluster: string | undefined
  query: URLSearchParams
  /** The variable part of the path. */
  name: string
}

/** `{}` in a path stands for its variable part. */
const operations: Readonly<Record<string, (asked: Asked) => unknown>> = {
  'GET /': ({ control }) => control.summary(),
  'POST /reset': ({ control }) => control.reset(),
  'GET /guests': ({ control, cluster }) => control.guests(cluster),
  'POST /guests': ({ control, body, cluster }) => control.createGuest(body as NewGuest, cluster),
  'GET /guests/{}': ({ control, name, cluster }) => control.guest(toVmid(name), cluster),
  'PATCH /guests/{}': ({ control, name, body, cluster }) =>
    control.patchGuest(toVmid(name), body as GuestPatch, cluster),
  'DELETE /guests/{}': ({ control, name, cluster }) => control.deleteGuest(toVmid(name), cluster),
  'POST /guests/{}/migrate': ({ control, name, body, cluster }) =>
    control.migrateGuest(toVmid(name), targetOf(body), cluster),
  'PATCH /nodes/{}': ({ control, name, body, cluster }) =>
    control.patchNode(name, body as NodePatch, cluster),
  'POST /nodes/{}/certificate': async ({ control, name, cluster }) => ({
    fingerprint: await control.renewCertificate(name, cluster),
  }),
  'PATCH /storages/{}': ({ control, name, body, cluster }) =>
    control.patchStorage(name, body as StoragePatch, cluster),
  'PATCH /clusters/{}': ({ control, name, body }) => control.patchCluster(body as ClusterPatch, name),
  'PATCH /tokens/{}': ({ control, name, body, cluster }) =>
    control.patchToken(name, body as TokenPatch, cluster),
  'PATCH /appliances/{}': ({ control, name, body }) => control.patchAppliance(name, body as AppliancePatch),
  'POST /appliances/{}/certificate': async ({ control, name }) => ({
    fingerprint: await control.renewApplianceCertificate(name),
  }),
  'GET /docker': ({ control }) => control.dockerHosts(),
  'POST /docker': ({ control, body }) => control.reportTo(body as ReportTo),
  'PATCH /docker/{}': ({ control, name, body }) => control.patchDockerHost(name, body as DockerHostPatch),
  'GET /docker/{}/report': ({ control, name }) => control.dockerReport(name),
  'POST /docker/{}/report': ({ control, name }) => control.sendDockerReports(name),
  'GET /scenarios': ({ control }) => control.scenarios(),
  'POST /scenarios/{}': ({ control, name }) => control.play(name),
  'GET /faults': ({ control }) => control.faults(),
  'POST /faults': ({ control, body }) => control.addFault(body as FaultSpec),
  'DELETE /faults': ({ control }) => control.clearFaults(),
  'DELETE /faults/{}': ({ control, name }) => control.removeFault(Number(name)),
  'GET /requests': ({ control, query }) => control.requests(filterOf(query)),
  'DELETE /requests': ({ control }) => control.resetRequests(),
}

export function findOperation(method: string, url: URL): Operation {
  const [, collection = '', name, action] = url.pathname.split('/')
  const pattern = [`/${collection}`, ...(name ? ['{}'] : []), ...(action ? [action] : [])].join('/')
  const operation = operations[`${method} ${pattern}`]
  if (!operation)
    throw new ControlError(404, `no ${method} ${pattern}; there is ${Object.keys(operations).join(', ')}`)
  const cluster = url.searchParams.get('cluster') ?? undefined
  return (control, body) =>
    operation({ control, body, cluster, query: url.searchParams, name: decodeURIComponent(name ?? '') })
}

function toVmid(text: string): number {
  if (!/^\d+$/.test(text)) throw new ControlError(400, `${text} is not a VMID`)
  return Number(text)
}

function targetOf(body: unknown): string {
  const to = (body as { to?: unknown } | null)?.to
  if (typeof to !== 'string') throw new ControlError(400, 'migrate needs {"to": node name}')
  return to
}

function filterOf(query: URLSearchParams): RequestFilter {
  const filter: RequestFilter = {}
  for (const field of ['cluster', 'node', 'method', 'path'] as const) {
    const value = query.get(field)
    if (value !== null) filter[field] = value
  }
  return filter
}
