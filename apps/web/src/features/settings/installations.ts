import type { VersionInfo } from '@pulse/contract'

/** How Pulse was installed. */
export const installationTexts: Record<VersionInfo['deploymentType'], string> = {
  docker: 'Docker',
  source: 'Built from source',
  proxmoxve: 'Proxmox VE container',
  systemd: 'systemd service',
  manual: 'Manual',
  development: 'Development',
}
