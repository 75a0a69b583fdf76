import type { Tone } from '../../lib/tones.ts'

/** Of a development build, or of the first ones, it is worth a look. */
export function agentVersionTone(version: string): Extract<Tone, 'green' | 'yellow'> {
  const bare = version.toLowerCase().replace(/^v/, '')
  return bare.includes('dev') || bare.startsWith('0.1') ? 'yellow' : 'green'
}
