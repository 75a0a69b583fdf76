import type { Tone } from '../../lib/tones.ts'

export type DockerTone = Extract<Tone, 'green' | 'yellow' | 'red'>

const green: ReadonlySet<string> = new Set(['online', 'running', 'healthy'])
const red: ReadonlySet<string> = new Set(['offline', 'exited', 'failed', 'unhealthy'])

/** Of the state of a container or its health, or of the status of a host; amber is what is neither good nor bad. */
export function dockerTone(word: string): DockerTone {
  const lower = word.toLowerCase()
  if (green.has(lower)) return 'green'
  return red.has(lower) ? 'red' : 'yellow'
}
