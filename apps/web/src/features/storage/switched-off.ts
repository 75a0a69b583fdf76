import { compareNames } from '@pulse/domain'
import type { SourceState } from '@pulse/contract'
import { useCallback } from 'react'
import { sameList, useLive } from '../../live/use-live.ts'

type Switch = 'monitorStorage' | 'monitorPhysicalDisks'

const isOff = (source: SourceState, flag: Switch) =>
  source.kind === 'pve' && (source.switchedOff?.includes(flag) ?? false)

/** The connections that are not asked for it, by name. */
export const useSwitchedOff = (flag: Switch): readonly string[] =>
  useLive(
    ['sources'],
    useCallback(
      (live) =>
        [...live.records('sources').values()]
          .filter((source) => isOff(source, flag))
          .map(({ name }) => name)
          .toSorted(compareNames),
      [flag],
    ),
    sameList,
  )
