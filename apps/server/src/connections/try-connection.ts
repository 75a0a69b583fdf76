import type { NodeChange, NodeTest, SourceKind } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { AppError } from '../app-error.ts'

export function requireType({ type }: NodeChange): SourceKind {
  if (type) return type
  throw new AppError('validation_failed', 'Set the product: pve, pbs or pmg.', {
    details: { type: 'is required' },
  })
}

/** A failed test is answered with status 400 and the reason, as in the documented API. */
export async function reportTest(test: Promise<NodeTest>, clock: Clock): Promise<NodeTest> {
  const startedAt = clock.monotonic()
  const result = await test
  if (result.status === 'success') return result
  const latency = Math.max(1, Math.round(clock.monotonic() - startedAt))
  const fields = {
    status: result.status,
    message: result.message,
    latency,
    ...(result.untrusted && { untrusted: true }),
  }
  const details = result.fingerprint ? { details: { fingerprint: result.fingerprint } } : {}
  throw new AppError('connection_test_failed', result.message, { ...details, fields })
}
