import { mix } from '../random.ts'

/** Of the key that backups are encrypted with, where they are. */
export const keyFingerprint = '4d:1c:22:9f:70:b1:ce:08'

/** The task that verified a backup, as the backup server names it. */
export function verificationUpid(seed: number, atSeconds: number, node = 'pbs'): string {
  const id = mix(seed, atSeconds).toString(16).toUpperCase().padStart(8, '0')
  const started = (atSeconds + 7200).toString(16).toUpperCase()
  return `UPID:${node}:000003E8:00001F40:${id}:${started}:verificationjob:main\\x3av\\x2dmain\\x2ddaily:root@pam:`
}
