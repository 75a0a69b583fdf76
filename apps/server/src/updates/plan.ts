import type { UpdatePlan, VersionInfo } from '@pulse/contract'
import { archiveName } from './feed.ts'
import { platform } from './manifest.ts'

export interface PlanEdges {
  version: Pick<VersionInfo, 'deploymentType'>
  /** why this very installation cannot replace itself, if so */
  why: string | undefined
}

const byHand = { canAutoUpdate: false, requiresRoot: true, rollbackSupport: false } as const

/** How that version gets here, by the way this installation came about. */
export function planFor(
  to: string,
  { version: { deploymentType }, why }: PlanEdges,
  downloadUrl: string | undefined,
): UpdatePlan {
  const archive = archiveName(to, platform ?? 'linux-amd64')
  switch (deploymentType) {
    case 'systemd':
    case 'proxmoxve':
      if (why === undefined) {
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
        prerequisites: ['Root access', why],
        instructions: byScript(to, downloadUrl),
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
        prerequisites: [
          'The running container is stopped first',
          'The new container uses the same PULSE_DATA_DIR',
        ],
        instructions: [`tar -xzf ${archive}`, `${archive.replace('.tar.gz', '')}/bin/pulse`],
      }
    default:
      return { ...byHand, requiresRoot: false, instructions: [`git checkout v${to}`, 'npm start'] }
  }
}

/** The script of a release installs that one, from where its archive lies. People paste this: an address is only one. */
function byScript(to: string, downloadUrl: string | undefined): string[] {
  const folder = downloadUrl === undefined ? '' : new URL('.', downloadUrl).href.slice(0, -1)
  const from = /^https?:\/\/[\w.:/%+-]+$/.test(folder) ? folder : `<address of the release v${to}>`
  return [`curl -fsSLO ${from}/install.sh`, `sudo sh install.sh --from ${from}`]
}
