import type { ChannelStatus } from '@pulse/contract'
import type { ComponentType } from 'react'
import type { Part } from './part.ts'

export interface ChannelCardProps {
  /** configured channels of this kind, including disabled ones */
  channels: readonly ChannelStatus[]
}

/** How the page shows one kind of channel. Its folder holds the form, the test send and the card. */
export interface ChannelKindUi {
  label: string
  /** settings that the page saves with all others; without it the card saves its own */
  part?: Part<unknown, object>
  Card: ComponentType<ChannelCardProps>
}
