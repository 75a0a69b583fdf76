import { needsSysAudit } from './route.ts'
import type { Call, Route } from './route.ts'

export const clusterRoutes: readonly Route[] = [
  { path: '/cluster/status', missing: needsSysAudit, answer: clusterStatus },
  { path: '/cluster/options', answer: clusterOptions },
  { path: '/cluster/ha/status/current', missing: needsSysAudit, answer: haStatus },
]

function clusterStatus({ cluster, local }: Call) {
  const members = cluster.nodes.map((node) => ({
    id: `node/${node.name}`,
    name: node.name,
    type: 'node',
    nodeid: node.nodeId,
    ip: node.address,
    level: '',
    local: Number(node === local),
    online: Number(node.online),
  }))
  if (cluster.standalone) return members
  const { name, configVersion, quorate } = cluster
  const itself = {
    id: 'cluster',
    type: 'cluster',
    name,
    nodes: members.length,
    quorate: Number(quorate),
    version: configVersion,
  }
  return [itself, ...members]
}

/** Without Sys.Audit, only the fields that the web interface needs. */
function clusterOptions({ cluster, rights }: Call) {
  const tagStyle = { 'color-map': 'production:c0392b:ffffff;staging:f39c12', shape: 'full' }
  const common = { 'allowed-tags': ['production', 'staging', 'dev'] }
  if (!rights.has('/', 'Sys.Audit')) return common
  return {
    ...common,
    keyboard: 'en-us',
    mac_prefix: 'BC:24:11',
    migration: { type: 'secure' },
    ...(cluster.release.major >= 8 && { 'tag-style': tagStyle }),
  }
}

function haStatus({ cluster, local, world }: Call) {
  const timestamp = Math.floor(world.settings.now() / 1000)
  const since = new Date(timestamp * 1000).toUTCString()
  const services = [...cluster.guests.values()].filter((guest) => guest.highlyAvailable)
  const quorum = {
    id: 'quorum',
    type: 'quorum',
    node: local.name,
    status: cluster.quorate ? 'OK' : 'No quorum on node!',
    quorate: Number(cluster.quorate),
  }
  const fencing = cluster.release.major === 9 ? [armedState(local.name, services.length > 0)] : []
  if (services.length === 0) return [quorum, ...fencing]
  const master = cluster.nodes.find((node) => node.online) ?? local
  return [
    quorum,
    {
      id: 'master',
      type: 'master',
      node: master.name,
      status: `${master.name} (active, ${since})`,
      timestamp,
    },
    ...cluster.nodes.map(({ name, online }) => ({
      id: `lrm:${name}`,
      type: 'lrm',
      node: name,
      status: online ? `${name} (idle, ${since})` : `${name} (old timestamp - dead?, ${since})`,
      timestamp,
    })),
    ...services.map((guest) => {
      const sid = `${guest.kind === 'qemu' ? 'vm' : 'ct'}:${guest.vmid}`
      const state = guest.status === 'stopped' ? 'stopped' : 'started'
      return {
        id: `service:${sid}`,
        type: 'service',
        sid,
        node: guest.node.name,
        state,
        crm_state: state,
        request_state: state,
        max_restart: 1,
        max_relocate: 1,
        status: `${guest.node.name} (${state})`,
      }
    }),
    ...fencing,
  ]
}

const armedState = (node: string, armed: boolean) => ({
  id: 'fencing',
  type: 'fencing',
  node,
  'armed-state': armed ? 'armed' : 'standby',
  status: armed ? 'armed (CRM watchdog active)' : 'standby (CRM watchdog standby)',
})
