import type { Enquiry } from '#lib/enquiries/enquiry'

export const OPEN_MAX = 5

/** Whether a further request of an enquiry may be OPEN. */
export const hasRoom = ({ requests }: Enquiry): boolean => requests.open < OPEN_MAX

export const withOneMore = (enquiry: Enquiry): Enquiry => ({
  ...enquiry,
  requests: { ...enquiry.requests, open: enquiry.requests.open + 1 },
  version: enquiry.version + 1,
})
