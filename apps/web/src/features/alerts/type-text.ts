const words: Readonly<Record<string, string>> = {
  cpu: 'CPU',
  memory: 'Memory',
  disk: 'Disk',
  usage: 'Usage',
  temperature: 'Temperature',
  diskRead: 'Disk read',
  diskWrite: 'Disk write',
  networkIn: 'Network in',
  networkOut: 'Network out',
  connectivity: 'Connectivity',
  'powered-off': 'Powered off',
  'docker-container-state': 'Container state',
  'docker-container-health': 'Container health',
  'docker-container-restart-loop': 'Restart loop',
  'docker-container-oom-kill': 'Out of memory',
  'docker-container-memory-limit': 'Memory limit',
  'docker-host-offline': 'Docker host offline',
}

/** What an alert is about, as people say it. */
export function typeText(type: string): string {
  const known = Object.hasOwn(words, type) ? words[type] : undefined
  if (known) return known
  const text = type.replaceAll('-', ' ').replace(/\b(oom|zfs|pbs|pmg)\b/g, (acronym) => acronym.toUpperCase())
  return text.charAt(0).toUpperCase() + text.slice(1)
}
