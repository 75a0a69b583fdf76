import type { Ceph, CephCheck, Node } from '../estate/estate.ts'

export const upMonitors = (monitors: readonly Node[]): Node[] => monitors.filter(({ online }) => online)

export const downOsds = ({ osds, pins }: Ceph): number[] =>
  osds.filter(({ id, node }) => !node.online || pins.downOsds?.includes(id)).map(({ id }) => id)

/** Checks that result from OSDs and monitors that are down, and checks set by the control API. */
export function cephHealth(ceph: Ceph, monitors: readonly Node[]) {
  const checks: Record<string, CephCheck> = { ...lossesOf(ceph, monitors), ...ceph.pins.checks }
  const severities = Object.values(checks).map(({ severity }) => severity)
  const status = severities.includes('HEALTH_ERR') ? 'HEALTH_ERR' : (severities[0] ?? 'HEALTH_OK')
  return {
    status,
    checks: Object.fromEntries(
      Object.entries(checks).map(([code, { severity, message, count = 1 }]) => [
        code,
        { severity, summary: { message, count }, detail: [{ message }], muted: false },
      ]),
    ),
    mutes: [],
  }
}

function lossesOf(ceph: Ceph, monitors: readonly Node[]): Record<string, CephCheck> {
  const down = downOsds(ceph).length
  const lost = monitors.filter(({ online }) => !online)
  const warning = (message: string, count: number): CephCheck => ({ severity: 'HEALTH_WARN', message, count })
  return {
    ...(lost.length > 0 && {
      MON_DOWN: warning(
        `${lost.length}/${monitors.length} mons down, quorum ${upMonitors(monitors)
          .map(({ name }) => name)
          .join(',')}`,
        lost.length,
      ),
    }),
    ...(down > 0 && {
      OSD_DOWN: warning(`${down} osds down`, down),
      PG_DEGRADED: warning(`Degraded data redundancy: ${down * 96} pgs degraded`, down * 96),
    }),
  }
}
