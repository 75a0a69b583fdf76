import { getAlertConfig, type VersionInfo } from '@pulse/contract'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '../api/api.tsx'
import { useQueryHolder } from '../api/query-root.tsx'
import { log } from '../lib/log.ts'
import { useConnection, useLiveEvent, useReconnected } from '../live/use-live.ts'
import { usePath } from '../ui/router/use-router.ts'
import { PopoverParts } from '../ui/popover.tsx'
import { Toaster } from '../ui/toasts.tsx'
import { TooltipBubble } from '../ui/tooltip-layer.tsx'
import { Banners } from './banners/banners.tsx'

interface AtStartProps {
  version: VersionInfo | undefined
  onUpdate: (isAvailable: boolean) => void
}

/** What comes to every page beside what it shows. None of it keeps the first figures waiting: its calls come behind them. */
export default function AtStart({ version, onUpdate }: AtStartProps) {
  const path = usePath()
  // who begins at the alerts loads their configuration there
  const [beginsAtAlerts] = useState(() => path.startsWith('/alerts'))
  const isSettled = useSettled()
  useEffect(() => {
    if (!isSettled) return
    // what is often needed when the server is away
    for (const part of [Toaster, TooltipBubble, PopoverParts]) void part.preload()
  }, [isSettled])
  return (
    <>
      <Banners version={version} isSettled={isSettled} onUpdate={onUpdate} />
      {isSettled && !beginsAtAlerts && <AlertConfig />}
    </>
  )
}

/** The first snapshot is there, or was: a connection that is lost later changes nothing. */
function useSettled(): boolean {
  const isThere = useConnection(({ initialDataReceived }) => initialDataReceived)
  const [wasThere, setWasThere] = useState(isThere)
  if (isThere && !wasThere) setWasThere(true)
  return wasThere
}

/** Asked once, for the pages of the alerts; what is said is forgotten when it may not be true any more. */
function AlertConfig() {
  const api = useApi()
  const holder = useQueryHolder()
  const changes = useRef(0)
  useEffect(() => {
    const before = changes.current
    api.call(getAlertConfig, { query: { keys: 'stable' } }).then(
      // an answer that is overtaken by a change is not true any more
      (config) => before === changes.current && holder.setAnswer(getAlertConfig.path, config),
      (error: unknown) => log.warn('The alert configuration could not be loaded', error),
    )
  }, [api, holder])
  const forget = () => {
    changes.current += 1
    holder.invalidate(getAlertConfig.path)
  }
  useLiveEvent('alertConfigChanged', forget)
  useReconnected(forget)
  return null
}
