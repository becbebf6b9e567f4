import type { QuotaStore } from '#lib/kernel/quota'
import type { OriginalName } from '#lib/media/store/media-links'
import { countSlowPdf, requireQuickPdfs } from '#lib/media/upload-quotas'
import { type Processed, type ProcessingDeps, processMedia } from './process-media.ts'

type Deps = ProcessingDeps & { quotas: QuotaStore }

/**
 * Processes a PDF as `processMedia` does. If three PDFs of its owner took too long in an hour, it stays in PROCESSING, and
 * `expireUploads` announces it again after the hour.
 */
export const processPdf = (
  deps: Deps,
  name: OriginalName,
  remainingMilliseconds: number,
): Promise<Processed> =>
  processMedia(deps, name, remainingMilliseconds, {
    toDecode: (agentId, at) => requireQuickPdfs(deps.quotas, { id: agentId }, [name], at),
    toRefuse: (agentId, reason, at) =>
      reason === 'took_too_long' ? [countSlowPdf(deps.quotas, agentId, at)] : [],
  })
