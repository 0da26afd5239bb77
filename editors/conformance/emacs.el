;;; emacs.el --- Checks what a user sees  -*- lexical-binding: t -*-

;;; Commentary:

;; Runs in a batch Emacs after the user's init file.  Exits with 0 if a user would see what is checked.

;;; Code:

(require 'eglot)
(require 'flymake)
(require 'cl-lib)

(defvar check-failed nil)

(defun check (name holds seen)
  "Print the result NAME of a check, whether it HOLDS, and what was SEEN."
  (unless holds (setq check-failed t))
  (let ((line (replace-regexp-in-string "[ \n\t]+" " " (format "%s" seen))))
    (princ (format "%s %s: %s\n" (if holds "ok   " "FAIL ") name (truncate-string-to-width line 110)))))

(defun check-wait (holds)
  "Wait until HOLDS returns non-nil."
  (cl-loop repeat 200 until (funcall holds) do (accept-process-output nil 0.05)))

(defun check-request (method &rest parameters)
  "Send METHOD with PARAMETERS and the position of point."
  (eglot--signal-textDocument/didChange)
  (jsonrpc-request (eglot--current-server-or-lose) method (append (eglot--TextDocumentPositionParams) parameters)))

(defun check-error ()
  "Return the first error."
  (cl-find-if (lambda (one) (string-match-p "cuont" (flymake-diagnostic-text one))) (flymake-diagnostics)))

(let ((file (pop command-line-args-left)))
  (find-file file)
  (check "mode" (eq major-mode 'tfjob-mode) major-mode)
  ;; A batch Emacs runs no idle hooks.
  (unless (eglot-current-server) (apply #'eglot (eglot--guess-contact)))
  (flymake-mode 1)
  (check-wait (lambda () (flymake-start) (check-error)))
  (let ((found (check-error)))
    (check "diagnostic"
           (and found (equal (buffer-substring (flymake-diagnostic-beg found) (flymake-diagnostic-end found)) "cuont"))
           (and found (flymake-diagnostic-text found))))
  (font-lock-ensure)
  (goto-char (point-min))
  (search-forward "framework")
  (check "colors" (eq (get-text-property (match-beginning 0) 'face) 'font-lock-keyword-face) (get-text-property (match-beginning 0) 'face))
  (search-forward "memory")
  (backward-char 2)
  (let ((hover (check-request :textDocument/hover)))
    (check "hover" hover (plist-get (plist-get hover :contents) :value)))
  (goto-char (point-min))
  (search-forward "cuont=4 {")
  (insert "\nenv")
  (indent-according-to-mode)
  (check "indentation" (= (current-indentation) 8) (current-indentation))
  (eglot--signal-textDocument/didChange)
  (let* ((table (nth 2 (eglot-completion-at-point)))
         (all (mapcar #'substring-no-properties (all-completions "" table))))
    (check "completion" (cl-find-if (lambda (one) (string-prefix-p "env" one)) all) all))
  (delete-region (line-beginning-position) (1+ (line-end-position)))
  (eglot--signal-textDocument/didChange)
  (goto-char (point-min))
  (search-forward "cuont")
  (let* ((start (eglot--pos-to-lsp-position (match-beginning 0)))
         (end (eglot--pos-to-lsp-position (match-end 0)))
         (context '(:diagnostics []))
         (actions (check-request :textDocument/codeAction :range (list :start start :end end) :context context))
         (action (cl-find-if (lambda (one) (and (plist-get one :edit) (equal (plist-get one :kind) "quickfix"))) actions)))
    (when action (eglot--apply-workspace-edit (plist-get action :edit)))
    (goto-char (point-min))
    (check "quick fix" (search-forward "count=4" nil t) (and action (plist-get action :title))))
  (goto-char (point-min))
  (search-forward "image")
  (replace-match "image  ")
  (eglot--signal-textDocument/didChange)
  (eglot-format-buffer)
  (goto-char (point-min))
  (check "formatting" (search-forward "    image \"ml" nil t) (buffer-substring (line-beginning-position) (line-end-position)))
  (set-buffer-modified-p nil)
  (eglot-shutdown (eglot--current-server-or-lose)))

(kill-emacs (if check-failed 1 0))
;;; emacs.el ends here
