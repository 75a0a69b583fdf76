import type { VersionInfo } from '@pulse/contract'

/** How this installation came about. */
export const installationTexts: Record<VersionInfo['deploymentType'], string> = {
  docker: 'Docker',
  source: 'Built from source',
  proxmoxve: 'Proxmox VE container',
  systemd: 'systemd service',
  manual: 'Manual',
  development: 'Development',
}
