import type { ReactNode } from 'react'
import { Notice } from '../../ui/notice.tsx'

interface OwnAddressProps {
  /** by which a command reaches Pulse */
  url: string
  /** what to do about it */
  children: ReactNode
}

/** A browser on the machine of Pulse sees it under an address that leads every other machine to itself. */
export function OwnAddress({ url, children }: OwnAddressProps) {
  const own = URL.parse(url)
  if (!own || !isLoopback(own)) return null
  return (
    <Notice tone="yellow" title={`Another machine cannot reach Pulse at ${own.origin}`} announce>
      The command works on this machine only. {children}
    </Notice>
  )
}

const isLoopback = ({ hostname }: URL) =>
  hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
