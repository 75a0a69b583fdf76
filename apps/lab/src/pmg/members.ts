import { ApiError } from '../api/api-error.ts'
import type { ApplianceCall, ApplianceRoute } from '../appliance/appliance.ts'
import { dayCurve, noise } from '../load/curve.ts'
import { dice, hash } from '../random.ts'
import type { MailGateway } from './gateway.ts'

const daySeconds = 86_400

export const memberRoutes = (gateway: MailGateway): ApplianceRoute[] => [
  { path: '/nodes', answer: () => gateway.members.map(({ name }) => ({ node: name })) },
  {
    path: '/nodes/{node}/status',
    needs: 'audit',
    answer: async (call) => nodeStatus(await memberAsked(gateway, call), call.now()),
  },
  {
    path: '/nodes/{node}/backup',
    needs: 'audit',
    answer: async (call) => backups(await memberAsked(gateway, call), call.now()),
  },
  {
    path: '/config/cluster/status',
    needs: 'audit',
    query: { list_single_node: 'boolean' },
    answer: (call) => clusterStatus(gateway, call),
  },
]

/** The member named in the path handles the call; `localhost` is the queried member. */
export async function memberAsked(gateway: MailGateway, call: ApplianceCall): Promise<MailGateway> {
  const { node } = call.params
  if (node === 'localhost' || node === gateway.name) return gateway
  const member = gateway.members.find(({ name }) => name === node)
  if (!member) {
    throw new ApiError(
      500,
      `hostname lookup '${node}' failed - failed to get address info for: ${node}: Name or service not known`,
    )
  }
  if (member.appliance.online) return member
  await call.pause(gateway.giveUpMs)
  throw new ApiError(595, 'No route to host', { bare: true })
}

function nodeStatus({ seed, major, version, bootedAtMs, cpus, memBytes }: MailGateway, nowMs: number) {
  const busy = dayCurve(nowMs, 4.5)
  const cpu = 0.01 + 0.25 * busy * noise(seed, nowMs)
  const used = Math.floor(memBytes * (0.45 + 0.15 * noise(seed ^ 1, nowMs)))
  const rootTotal = 33_636_024_320
  const rootUsed = Math.floor(rootTotal * (0.2 + 0.1 * noise(seed, 7)))
  const release = major === 9 ? '6.14.11-1-pve' : major === 8 ? '6.8.12-2-pve' : '5.15.158-2-pve'
  return {
    time: Math.floor(nowMs / 1000),
    uptime: Math.max(0, Math.floor((nowMs - bootedAtMs) / 1000)),
    insync: 1,
    loadavg: [1.1, 1, 0.9].map((factor) => (cpu * cpus * factor).toFixed(2)),
    cpu,
    wait: 0.01 * noise(seed ^ 2, nowMs),
    cpuinfo: { model: 'Common KVM processor', sockets: 1, cores: cpus, cpus, mhz: '2400.000', user_hz: 100 },
    memory: { total: memBytes, used, free: memBytes - used },
    swap: { total: 4_294_963_200, used: 0, free: 4_294_963_200 },
    rootfs: { total: rootTotal, used: rootUsed, avail: rootTotal - rootUsed, free: rootTotal - rootUsed },
    kversion: `Linux ${release} #1 SMP PREEMPT_DYNAMIC PMX`,
    pmgversion: version,
    ...(major >= 8 && {
      'boot-info': { mode: 'legacy-bios' },
      'current-kernel': {
        sysname: 'Linux',
        release,
        version: '#1 SMP PREEMPT_DYNAMIC PMX',
        machine: 'x86_64',
      },
    }),
  }
}

/** Queries every member and waits for the timeout of members that are down. */
async function clusterStatus(gateway: MailGateway, call: ApplianceCall) {
  if (!gateway.isCluster) {
    if (call.params.list_single_node !== '1') return []
    return [{ ...identityOf(gateway, 0), type: '-', ...nodeStatus(gateway, call.now()) }]
  }
  const isDown = (member: MailGateway) => member !== gateway && !member.appliance.online
  if (gateway.members.some(isDown)) await call.pause(gateway.giveUpMs)
  return gateway.members.map((member, index) => {
    const identity = { ...identityOf(member, index + 1), type: index === 0 ? 'master' : 'node' }
    if (!isDown(member)) return { ...identity, ...nodeStatus(member, call.now()) }
    const { address, port } = member.appliance
    return { ...identity, conn_error: `500 Can't connect to ${address}:${port} (No route to host)` }
  })
}

const identityOf = ({ name, seed, appliance }: MailGateway, cid: number) => ({
  cid,
  name,
  ip: appliance.address,
  hostrsapubkey: `AAAAB3NzaC1yc2EAAAADAQABAAABgQ${dice(seed).hex(64)}`,
  rootrsapubkey: `AAAAB3NzaC1yc2EAAAADAQABAAABgQ${dice(seed ^ 1).hex(64)}`,
  fingerprint: appliance.certificate.fingerprint,
})

/** One per week; the name contains the time. */
function backups({ seed, name }: MailGateway, nowMs: number) {
  const today = Math.floor(nowMs / 1000 / daySeconds)
  const newest = (today - (today % 7)) * daySeconds + 3600 + (seed % 600)
  return [0, 1, 2, 3]
    .map((age) => newest - age * 7 * daySeconds)
    .filter((timestamp) => timestamp * 1000 <= nowMs)
    .map((timestamp) => ({
      filename: `pmg-backup_${new Date(timestamp * 1000).toISOString().slice(0, 10).replaceAll('-', '_')}_${timestamp
        .toString(16)
        .toUpperCase()}.tgz`,
      size: 180_000 + (hash(`${name}/${timestamp}`) % 60_000),
      timestamp,
    }))
}
