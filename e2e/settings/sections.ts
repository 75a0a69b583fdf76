/** Every section except Security, and the text that a viewer sees instead. */
export const sections = [
  {
    path: '/settings/pve',
    title: 'Proxmox VE nodes',
    notice: 'You need administrator access to see and change what is monitored.',
  },
  {
    path: '/settings/pbs',
    title: 'Proxmox Backup Server',
    notice: 'You need administrator access to see and change what is monitored.',
  },
  {
    path: '/settings/pmg',
    title: 'Proxmox Mail Gateway',
    notice: 'You need administrator access to see and change what is monitored.',
  },
  {
    path: '/settings/urls',
    title: 'Guest URLs',
    notice: 'You need administrator access to change guest URLs.',
  },
  {
    path: '/settings/docker',
    title: 'Docker hosts',
    notice: 'You need administrator access to manage Docker hosts.',
  },
  {
    path: '/settings/system',
    title: 'System',
    notice: 'You need administrator access to see and change system settings.',
  },
  {
    path: '/settings/diagnostics',
    title: 'Diagnostics',
    notice: 'You need administrator access to run diagnostics.',
  },
  {
    path: '/settings/updates',
    title: 'Updates',
    notice: 'You need administrator access to see updates.',
  },
] as const
