import type { Tone } from '../../lib/tones.ts'

/** Of a development build, or of the first ones, it is worth a look. */
export function agentVersionTone(version: string): Extract<Tone, 'green' | 'yellow'> {
  const bare = version.toLowerCase().replace(/^v/, '')
  return bare.includes('dev') || bare.startsWith('0.1') ? 'yellow' : 'green'
}

/** What is to be known of the figures of an agent of the older product. */
export const agentVersionNote = (version: string): string | undefined =>
  /^v?4\./i.test(version)
    ? 'This agent of Pulse 4.x calculates CPU and memory by its own formula.'
    : undefined
