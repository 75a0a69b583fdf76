import type { DockerContainer } from '@pulse/contract'
import { clearMargin } from '@pulse/contract'
import type { Rule } from '../judging.ts'
import type { Policy } from '../policy.ts'
import { delayOf, delayTypes } from '../delays.ts'
import { figureText } from '../metric.ts'

/** The limits in percent. `lowest` is infinite if both are off. */
export function memoryLimitsOf({ figures: { memoryWarnPct, memoryCriticalPct } }: Pick<Policy, 'figures'>) {
  const warn = memoryWarnPct?.value ?? 0
  const critical = memoryCriticalPct?.value ?? 0
  const lowest = Math.min(warn > 0 ? warn : Infinity, critical > 0 ? critical : Infinity)
  const clear = Number.isFinite(lowest) ? (lowest > clearMargin ? lowest - clearMargin : lowest) : 0
  // A critical alert stays critical until it falls by the margin that would end a warning.
  const staysFrom = Math.min(critical, Math.max(lowest, critical - clearMargin))
  return { critical, lowest, clear, staysFrom }
}

/** Memory of a container relative to its limit. */
export const memoryLimit: Rule<DockerContainer> = {
  name: 'container-memory-limit',
  judge({ memoryUsageBytes: used, memoryLimitBytes: limit, state }, on) {
    const { memoryWarnPct, memoryCriticalPct } = on.policy.figures
    const { critical, lowest, clear, staysFrom } = memoryLimitsOf(on.policy)
    const percent = used !== undefined && limit ? (used / limit) * 100 : undefined
    const isBad = percent !== undefined && percent >= lowest
    if (!isBad && !on.isWatched) return
    const id = `docker-container-memory-limit-${on.record}`
    const off = offReason(lowest, limit, state)
    const isCritical =
      critical > 0 &&
      percent !== undefined &&
      percent >= (on.openAlert(id)?.level === 'critical' ? staysFrom : critical)
    const from = isCritical ? memoryCriticalPct : memoryWarnPct
    const trigger = isCritical ? critical : Number.isFinite(lowest) ? lowest : 0
    on.emit({
      id,
      type: 'docker-container-memory-limit',
      verdict:
        off !== undefined
          ? 'off'
          : percent === undefined
            ? 'held'
            : isBad
              ? 'bad'
              : percent < clear
                ? 'fine'
                : 'between',
      reason: off ?? (percent === undefined ? 'Its memory is not reported.' : undefined),
      value: percent ?? 0,
      threshold: trigger,
      clear,
      origin: from?.origin,
      level: isCritical ? 'critical' : 'warning',
      delay: delayOf(on.config, delayTypes.docker, isCritical ? 'memoryCriticalPct' : 'memoryWarnPct'),
      message: `Container ${on.resource.name} uses ${figureText(percent ?? 0, '%')} of its memory limit (threshold ${figureText(trigger, '%')})`,
      metadata: { limitBytes: limit, usedBytes: used },
    })
  },
}

function offReason(lowest: number, limit: number | undefined, state: string): string | undefined {
  if (state.toLowerCase() !== 'running') return 'It does not run.'
  if (!Number.isFinite(lowest)) return 'Its threshold is switched off.'
  return limit ? undefined : 'It has no memory limit.'
}
