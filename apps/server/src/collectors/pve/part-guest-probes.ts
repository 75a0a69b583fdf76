import type { Part } from './part.ts'
import type { ProbeContext } from './probe.ts'
import { GUEST_PROBES, NodeProber } from './node-prober.ts'
import type { ProbePlan } from './probe-plan.ts'

/** Data from the guest itself or from its own status: memory, file systems, addresses, system. */
export const guestProbes: Part = {
  name: GUEST_PROBES,
  flags: ['monitorVMs', 'monitorContainers'],
  calls: { guest: 2 },
  rights: [
    {
      path: '/vms',
      rights: ['VM.Monitor', 'VM.GuestAgent.Audit', 'VM.GuestAgent.Unrestricted'],
      called: 'VM.GuestAgent.Audit (PVE 9) or VM.Monitor (PVE 8)',
      dark: 'disk usage, addresses and operating system of VMs stay unknown',
    },
  ],
  start(context) {
    const probing: ProbeContext = { ...context, guestRrd: { known: false, askAt: 0 } }
    // Plans belong to guests, not to nodes: a migrating guest brings its own.
    const plans = new Map<number, ProbePlan>()
    return {
      node(node) {
        const prober = new NodeProber(probing, node, plans)
        return { guests: (running) => prober.sync(running), stop: () => prober.stop() }
      },
      forget(left) {
        if ('vmid' in left) plans.delete(left.vmid)
      },
    }
  },
}
