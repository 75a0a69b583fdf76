import type { UpdatePlan, VersionInfo } from '@pulse/contract'

export interface PlanEdges {
  version: Pick<VersionInfo, 'deploymentType'>
  /** whether this very installation can replace itself */
  canSwitch: boolean
  /** why not, when its kind can */
  why: string | undefined
}

const byHand = { canAutoUpdate: false, requiresRoot: true, rollbackSupport: false } as const

/** How that version gets here, by the way this installation came about. */
export function planFor(to: string, { version: { deploymentType }, canSwitch, why }: PlanEdges): UpdatePlan {
  switch (deploymentType) {
    case 'systemd':
    case 'proxmoxve':
      if (canSwitch) {
        return {
          canAutoUpdate: true,
          requiresRoot: true,
          rollbackSupport: true,
          estimatedTime: '2-5 minutes',
          prerequisites: ['Root access', 'Internet connection', 'At least 1 GB of free disk space'],
        }
      }
      return {
        ...byHand,
        estimatedTime: '2-5 minutes',
        prerequisites: ['Root access', ...(why === undefined ? [] : [why])],
        instructions: [`sh install.sh --version ${to}`],
      }
    case 'docker':
      return {
        canAutoUpdate: false,
        requiresRoot: false,
        rollbackSupport: true,
        estimatedTime: '1-2 minutes',
        instructions: [
          `docker pull pulse:${to}`,
          'docker stop pulse && docker rm pulse',
          `docker run … pulse:${to}`,
        ],
      }
    case 'manual':
      return {
        ...byHand,
        requiresRoot: false,
        instructions: [
          `Unpack pulse-v${to}-linux-<platform>.tar.gz beside this release`,
          'Stop Pulse, and start the other one with the same PULSE_DATA_DIR',
        ],
      }
    default:
      return { ...byHand, requiresRoot: false, instructions: [`git checkout v${to}`, 'npm start'] }
  }
}
