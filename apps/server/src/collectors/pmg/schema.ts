import * as z from 'zod/mini'
import { nodeName, text } from '../proxmox/schema.ts'

export const PmgNode = z.object({ node: nodeName })
export const PmgMember = z.object({ name: text, type: text, conn_error: text })
