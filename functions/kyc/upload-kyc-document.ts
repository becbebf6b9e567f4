import { userWithVerifiedEmail } from '#lib/accounts/access'
import { accounts } from '#lib/accounts/account-store.dynamo'
import { generalListingLimits } from '#lib/accounts/listing-limit-settings'
import { quotas } from '#lib/dynamo/quotas'
import { endpoint } from '#lib/http/endpoint'
import { fileParts, multipart, textParts } from '#lib/http/input/multipart'
import { clock, ids } from '#lib/http/runtime'
import { DocumentType, KycDocumentView } from '#lib/kyc/document'
import { documentFiles } from '#lib/kyc/document-files.s3'
import { kycStore } from '#lib/kyc/kyc-store.dynamo'
import { uploadDocument } from '#lib/kyc/upload-document'

export const { spec, handler } = endpoint({
  route: 'POST /auth/kyc/documents',
  summary: 'Hand in a document',
  description:
    'One part named `file` (JPEG, PNG, WebP or PDF, up to 4 MiB) and one named `type` (`passport`, `national_id`, ' +
    '`driving_licence`, `proof_of_address`, `selfie` or `business_registration`). The status stays as it is: an ' +
    'administrator decides. The same bytes sent again with the same `type` are answered with the stored document. A person ' +
    'may have 50 documents. They count in the limits of `POST /listings/{id}/media`.',
  access: userWithVerifiedEmail,
  input: {
    files: multipart({ file: fileParts(1), type: { ...textParts(1), values: DocumentType.options } }),
  },
  output: { 201: KycDocumentView },
  problems: ['document_limit_reached', 'too_many_requests'],
  deps: {
    accounts,
    kycStore,
    files: documentFiles,
    quotas,
    // Documents count with media towards `files`, the number of files that a person may add in an hour.
    limits: generalListingLimits,
    now: clock,
    newId: ids,
  },
  run: ({ actor, files }, deps) => uploadDocument(deps, actor.account, files),
})
