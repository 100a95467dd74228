/** The part of a reply that redirects. */
interface Redirecting<Reply> {
  redirect: (url: string, status: number) => Reply;
}

/** Redirects to the account page, which shows the notice of this name. */
export const redirectDone = <Reply>(reply: Redirecting<Reply>, name: string): Reply =>
  reply.redirect(`/account?done=${name}`, 303);
