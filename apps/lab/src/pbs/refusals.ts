import { ApiError } from '../api/api-error.ts'

export const refused = (): ApiError => new ApiError(403, 'permission check failed')

/** Whatever has no status of its own is a 400. */
export const failed = (text: string): ApiError => new ApiError(400, text)

export const missing = (text: string): ApiError => new ApiError(404, text)
