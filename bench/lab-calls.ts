export type GuestType = 'qemu' | 'lxc'

interface Counted {
  entries: { cluster: string; template: string; count: number }[]
}

/** Requests of the product to the simulated estate. */
export interface Calls {
  /** for lists and metrics, of the busiest source */
  busiestSource: number
  /** for single guests: all VMs and all containers */
  probes: Record<GuestType, number>
}

export async function forgetCalls(labUrl: string): Promise<void> {
  await fetch(`${labUrl}/requests`, { method: 'DELETE', headers: { 'x-lab-control': '1' } })
}

export async function callsSince(labUrl: string): Promise<Calls> {
  const { entries } = (await (await fetch(`${labUrl}/requests`)).json()) as Counted
  const perSource = new Map<string, number>()
  const probes = { qemu: 0, lxc: 0 }
  for (const { cluster, template, count } of entries) {
    if (template.includes('/qemu/{')) probes.qemu += count
    else if (template.includes('/lxc/{')) probes.lxc += count
    else perSource.set(cluster, (perSource.get(cluster) ?? 0) + count)
  }
  return { busiestSource: Math.max(...perSource.values()), probes }
}
